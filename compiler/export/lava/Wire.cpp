// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Wire.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dendrolith::lava {
namespace {

// A matrix with fewer synapses than that part of its cells is sparse.
constexpr uint64_t kSparse = 4;
constexpr uint64_t kSmall = 4096; // cells of a matrix that is dense anyway

/// Puts all synapses of the group into one wire and leaves zeros out. There is
/// none if a pair is joined twice.
std::optional<Wire> joined(const std::vector<const Wire *> &group) {
  Wire all = *group.front();
  for (const Wire *wire : group)
    all.delay = std::min(all.delay, wire->delay);
  all.dense = false;
  all.targetOf.clear();
  all.sourceOf.clear();
  all.weights.clear();
  all.later.clear();
  std::vector<uint64_t> pairs;
  for (const Wire *wire : group)
    for (size_t k = 0; k < wire->weights.size(); ++k) {
      if (wire->weights[k] == 0)
        continue;
      all.targetOf.push_back(wire->targetOf[k]);
      all.sourceOf.push_back(wire->sourceOf[k]);
      all.weights.push_back(wire->weights[k]);
      all.later.push_back(wire->delay - all.delay +
                          (wire->later.empty() ? 0 : wire->later[k]));
      pairs.push_back(uint64_t(wire->targetOf[k]) << 32 | wire->sourceOf[k]);
    }
  std::sort(pairs.begin(), pairs.end());
  if (std::adjacent_find(pairs.begin(), pairs.end()) != pairs.end())
    return std::nullopt;
  return all;
}

} // namespace

bool isDense(const Wire &wire) {
  size_t synapses = std::count_if(wire.weights.begin(), wire.weights.end(),
                                  [](int64_t weight) { return weight != 0; });
  uint64_t cells = wire.sources * wire.targets;
  return wire.dense || cells <= kSmall || synapses * kSparse >= cells;
}

std::vector<Wire> joinDelays(const std::vector<Wire> &wires,
                             const std::vector<std::string> &names) {
  std::map<std::string, std::vector<const Wire *>> groups;
  auto alone = [](const Wire &wire) { return wire.window || wire.diagonal; };
  for (size_t i = 0; i < wires.size(); ++i)
    if (!alone(wires[i]))
      groups[names[i]].push_back(&wires[i]);
  std::vector<Wire> result;
  std::map<std::string, bool> done;
  for (size_t i = 0; i < wires.size(); ++i) {
    auto group = groups.find(names[i]);
    if (alone(wires[i]) || group->second.size() == 1) {
      result.push_back(wires[i]);
      continue;
    }
    auto [entry, first] = done.try_emplace(names[i], false);
    if (first)
      if (auto all = joined(group->second); all && isDense(*all)) {
        entry->second = true;
        result.push_back(std::move(*all));
      }
    if (!entry->second)
      result.push_back(wires[i]);
  }
  return result;
}

std::vector<Wire> joinDelays(const std::vector<Wire> &wires) {
  std::vector<std::string> names;
  for (const Wire &wire : wires)
    names.push_back(wire.source + " " + wire.output + " " + wire.target + " " +
                    wire.port);
  return joinDelays(wires, names);
}

std::vector<double> largestSums(const Wire &wire) {
  std::vector<double> sums(wire.targets, 0.0);
  double message = static_cast<double>(wire.largestMessage());
  for (size_t k = 0; k < wire.weights.size(); ++k)
    sums[wire.targetOf[k]] +=
        std::fabs(static_cast<double>(wire.weights[k])) * message;
  return sums;
}

bool divisible(const Wire &wire, unsigned bits) {
  return std::all_of(
      wire.weights.begin(), wire.weights.end(),
      [&](int64_t weight) { return weight % (int64_t(1) << bits) == 0; });
}

bool handsOn(const Wire &wire, int64_t weight) {
  return wire.diagonal && wire.sources == wire.targets &&
         wire.weights.size() == wire.targets &&
         std::all_of(wire.weights.begin(), wire.weights.end(),
                     [&](int64_t w) { return w == weight; });
}

} // namespace dendrolith::lava
