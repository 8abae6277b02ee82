// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/JoinDelays.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace dendrolith {
namespace {

/// A synapse of one source.
struct Entry {
  uint32_t accumulator;
  int16_t weight;
  uint16_t delay;
};

/// Projections between the same ends.
class Joint {
public:
  explicit Joint(std::vector<const MapProjection *> parts)
      : parts(std::move(parts)) {}

  /// As few projections as have them all, and no two synapses between the same
  /// ends. Empty where no source has fewer lists by that.
  std::vector<MapProjection> joined() {
    const size_t sources = parts.front()->begin.size() - 1;
    for (size_t s = 0; s < sources; ++s)
      addSource(uint32_t(s));
    uint64_t lists = 0;
    for (MapProjection &made : all) {
      for (size_t s = 0; s < sources; ++s)
        lists += made.begin[s + 1] > made.begin[s];
      settle(made);
    }
    if (lists >= before)
      all.clear();
    return std::move(all);
  }

private:
  void addSource(uint32_t source) {
    entries.clear();
    runs = {0};
    for (const MapProjection *part : parts) {
      for (uint64_t i = part->begin[source]; i < part->begin[source + 1]; ++i)
        if (part->weight[i] != 0)
          entries.push_back({part->accumulator[i], part->weight[i],
                             static_cast<uint16_t>(part->delay)});
      if (entries.size() > runs.back())
        runs.push_back(entries.size());
    }
    before += runs.size() - 1;
    mergeRuns();
    size_t twice = 0; // how often the accumulator came before
    for (size_t i = 0; i < entries.size(); ++i) {
      const bool again =
          i > 0 && entries[i].accumulator == entries[i - 1].accumulator;
      twice = again ? twice + 1 : 0;
      MapProjection &made = number(twice, source);
      made.accumulator.push_back(entries[i].accumulator);
      made.weight.push_back(entries[i].weight);
      made.delays.push_back(entries[i].delay);
    }
    for (MapProjection &made : all)
      made.begin.push_back(made.accumulator.size());
  }

  /// Puts the entries in order of accumulators. Each run is so already; of
  /// entries that are alike, those of earlier parts stay before others.
  void mergeRuns() {
    const auto isLess = [](const Entry &a, const Entry &b) {
      return a.accumulator < b.accumulator;
    };
    while (runs.size() > 2) {
      merged.resize(entries.size());
      std::vector<size_t> longer{0};
      for (size_t k = 0; k + 1 < runs.size(); k += 2) {
        const auto middle = entries.begin() + ptrdiff_t(runs[k + 1]);
        longer.push_back(runs[std::min(k + 2, runs.size() - 1)]);
        std::merge(entries.begin() + ptrdiff_t(runs[k]), middle, middle,
                   entries.begin() + ptrdiff_t(longer.back()),
                   merged.begin() + ptrdiff_t(runs[k]), isLess);
      }
      entries.swap(merged);
      runs.swap(longer);
    }
  }

  /// The projection that takes what comes for the n-th time.
  MapProjection &number(size_t n, uint32_t source) {
    while (all.size() <= n) {
      MapProjection made;
      made.fromInput = parts.front()->fromInput;
      made.source = parts.front()->source;
      made.target = parts.front()->target;
      made.weightBits = parts.front()->weightBits;
      made.begin.assign(source + 1, 0);
      if (all.empty()) { // it gets nearly all: arrays that grow are twice there
        size_t size = 0;
        for (const MapProjection *part : parts)
          size += part->accumulator.size();
        made.accumulator.reserve(size);
        made.weight.reserve(size);
        made.delays.reserve(size);
      }
      all.push_back(std::move(made));
    }
    return all[n];
  }

  /// A delay that all have is not kept synapse by synapse.
  static void settle(MapProjection &made) {
    const auto [least, most] =
        std::minmax_element(made.delays.begin(), made.delays.end());
    made.delay = *most;
    if (*least == *most)
      made.delays.clear();
  }

  const std::vector<const MapProjection *> parts;
  std::vector<MapProjection> all;
  uint64_t before = 0;                // lists that sources have in `parts`
  std::vector<Entry> entries, merged; // of one source
  std::vector<size_t> runs;           // where parts begin in `entries`
};

/// What projections have in common that one list can have.
using Ends = std::tuple<std::string, std::string, std::string, std::string,
                        uint32_t, uint32_t>;

Ends endsOf(dend::ProjectOp project, const MapProjection &projection,
            uint32_t shift) {
  return {project.getSource().str(),
          project.getOutput().value_or("").str(),
          project.getTarget().str(),
          project.getPort().str(),
          shift,
          projection.weightBits};
}

} // namespace

void joinDelays(LoweredNetwork &lowered,
                llvm::ArrayRef<dend::ProjectOp> projects,
                const SynapseFormat &format) {
  std::vector<MapProjection> &all = lowered.map.projections;
  std::map<Ends, std::vector<size_t>> like;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].shared && !all[i].convolution &&
        format.delayBits(all[i].delay) && all[i].delay <= UINT16_MAX)
      like[endsOf(projects[i], all[i], lowered.shift[i])].push_back(i);
  std::vector<bool> gone(all.size(), false);
  for (const auto &[ends, places] : like) {
    const bool differ =
        std::any_of(places.begin(), places.end(), [&](size_t i) {
          return all[i].delay != all[places.front()].delay;
        });
    if (!differ)
      continue;
    std::vector<const MapProjection *> parts;
    for (size_t place : places)
      parts.push_back(&all[place]);
    std::vector<MapProjection> joined = Joint(std::move(parts)).joined();
    if (joined.empty())
      continue;
    for (size_t k = 0; k < places.size(); ++k)
      if (k < joined.size())
        all[places[k]] = std::move(joined[k]);
      else
        gone[places[k]] = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); ++i)
    if (!gone[i]) {
      if (kept != i)
        all[kept] = std::move(all[i]);
      lowered.shift[kept++] = lowered.shift[i];
    }
  all.resize(kept);
  lowered.shift.resize(kept);
}

} // namespace dendrolith
