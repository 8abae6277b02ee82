// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/InnerOrder.h"

#include "compiler/mapping/cluster/Hypergraph.h"

#include <algorithm>
#include <numeric>

namespace dendrolith::cluster {

namespace {

/// The lists of a group that have more than one target in it.
struct GroupLists {
  struct List {
    uint32_t projection, synapses;
  };
  std::vector<List> lists;
  Lists targets; // by list; neurons, numbered from the group's first
};

std::vector<GroupLists> listsOf(const MapNetwork &network, uint32_t p,
                                const std::vector<NeuronGroup> &groups,
                                const std::vector<uint32_t> &order) {
  std::vector<uint32_t> groupOf(order.size(), none), place(order.size());
  for (uint32_t g = 0; g < groups.size(); ++g)
    for (uint32_t k = 0; k < groups[g].count; ++k) {
      groupOf[order[groups[g].first + k]] = g;
      place[order[groups[g].first + k]] = k;
    }
  std::vector<GroupLists> found(groups.size());
  std::vector<uint32_t> synapses(groups.size(), 0), reached;
  for (uint32_t i = 0; i < network.projections.size(); ++i) {
    const MapProjection &projection = network.projections[i];
    if (projection.target != p)
      continue;
    const uint32_t each = network.populations[p].accumulators;
    for (size_t s = 0; s + 1 < projection.begin.size(); ++s) {
      uint32_t last = none; // targets rise, so that equal ones are neighbours
      for (uint64_t k = projection.begin[s]; k < projection.begin[s + 1]; ++k) {
        const uint32_t neuron = projection.accumulator[k] / each;
        const uint32_t g = groupOf[neuron];
        if (projection.weight[k] == 0 || g == none)
          continue;
        if (synapses[g]++ == 0)
          reached.push_back(g);
        if (neuron != last)
          found[g].targets.value.push_back(place[neuron]);
        last = neuron;
      }
      for (uint32_t g : reached) {
        Lists &targets = found[g].targets;
        if (targets.value.size() > targets.begin.back() + 1) {
          targets.begin.push_back(targets.value.size());
          found[g].lists.push_back({i, synapses[g]});
        } else {
          targets.value.resize(targets.begin.back());
        }
        synapses[g] = 0;
      }
      reached.clear();
    }
  }
  return found;
}

/// Looks for an order of one group.
class Sorter {
public:
  Sorter(const GroupLists &given, const std::vector<ListPlanner> &planners,
         const NeuronGroup &group, uint32_t each)
      : given(given), planners(planners), group(group), each(each),
        place(group.count), at(group.count) {
    std::vector<uint32_t> size(group.count + 1, 0);
    for (uint32_t v : given.targets.value)
      ++size[v + 1];
    heard.begin.assign(size.begin(), size.end());
    std::partial_sum(heard.begin.begin(), heard.begin.end(),
                     heard.begin.begin());
    heard.value.resize(given.targets.value.size());
    std::vector<uint64_t> next(heard.begin.begin(), heard.begin.end() - 1);
    for (uint32_t e = 0; e < given.lists.size(); ++e)
      for (uint64_t i = given.targets.begin[e]; i < given.targets.begin[e + 1];
           ++i)
        heard.value[next[given.targets.value[i]]++] = e;
  }

  /// Neurons by place; empty = as they are.
  std::vector<uint32_t> run() {
    std::iota(at.begin(), at.end(), 0);
    std::iota(place.begin(), place.end(), 0);
    uint64_t least = words();
    std::vector<uint32_t> best;
    if (!begin())
      return best;
    // Where the first rounds gain nothing there is no such order.
    for (uint32_t round = 1; round <= kRounds; ++round) {
      average();
      if (round % kLook != 0)
        continue;
      const uint64_t now = words();
      if (now >= least)
        break;
      least = now;
      best = at;
    }
    return best;
  }

private:
  static constexpr uint32_t kRounds = 64, kLook = 4;

  uint64_t words() const {
    uint64_t sum = 0;
    for (uint32_t e = 0; e < given.lists.size(); ++e) {
      uint32_t first = group.count, last = 0;
      for (uint64_t i = given.targets.begin[e]; i < given.targets.begin[e + 1];
           ++i) {
        first = std::min(first, place[given.targets.value[i]]);
        last = std::max(last, place[given.targets.value[i]]);
      }
      const uint32_t before = group.first - group.slice;
      const GroupLists::List &list = given.lists[e];
      sum += planners[list.projection]
                 .plan(list.synapses, (before + first) * each,
                       (before + last + 1) * each - 1)
                 .words;
    }
    return sum;
  }

  /// A list of most neurons says nothing about their order.
  bool tells(uint32_t e) const {
    return 2 * given.targets.size(e) <= group.count;
  }

  /// Neurons by their distance from `from` in lists, as far as any is reached;
  /// `distance` must be none for those.
  std::vector<uint32_t> reach(uint32_t from, std::vector<uint32_t> &distance,
                              std::vector<bool> &passed) const {
    std::vector<uint32_t> seen = {from};
    distance[from] = 0;
    for (size_t k = 0; k < seen.size(); ++k)
      for (uint64_t i = heard.begin[seen[k]]; i < heard.begin[seen[k] + 1];
           ++i) {
        const uint32_t e = heard.value[i];
        if (passed[e] || !tells(e))
          continue;
        passed[e] = true;
        for (uint64_t j = given.targets.begin[e];
             j < given.targets.begin[e + 1]; ++j)
          if (const uint32_t v = given.targets.value[j]; distance[v] == none) {
            distance[v] = distance[seen[k]] + 1;
            seen.push_back(v);
          }
      }
    return seen;
  }

  /// Sorts by the distance from an outermost neuron, piece by piece; false
  /// where no list tells anything.
  bool begin() {
    std::vector<uint32_t> found, distance(group.count, none);
    std::vector<bool> passed(given.lists.size()), again(given.lists.size());
    std::vector<uint32_t> twice(group.count, none);
    bool any = false;
    for (uint32_t v = 0; v < group.count; ++v) {
      if (distance[v] != none)
        continue;
      const uint32_t outermost = reach(v, distance, passed).back();
      const std::vector<uint32_t> piece = reach(outermost, twice, again);
      any = any || piece.size() > 2;
      found.insert(found.end(), piece.begin(), piece.end());
    }
    if (any)
      take(std::move(found));
    return any;
  }

  void take(std::vector<uint32_t> order) {
    at = std::move(order);
    for (uint32_t k = 0; k < at.size(); ++k)
      place[at[k]] = k;
  }

  void average() {
    std::vector<double> middle(given.lists.size()), value(group.count);
    for (uint32_t e = 0; e < middle.size(); ++e) {
      double sum = 0;
      for (uint64_t i = given.targets.begin[e]; i < given.targets.begin[e + 1];
           ++i)
        sum += place[given.targets.value[i]];
      middle[e] = sum / double(given.targets.size(e));
    }
    for (uint32_t v = 0; v < group.count; ++v) {
      double sum = 0, lists = 0;
      for (uint64_t i = heard.begin[v]; i < heard.begin[v + 1]; ++i)
        if (tells(heard.value[i])) {
          sum += middle[heard.value[i]];
          ++lists;
        }
      value[v] = lists > 0 ? sum / lists : place[v];
    }
    std::vector<uint32_t> order = at;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return value[a] < value[b];
    });
    take(std::move(order));
  }

  const GroupLists &given;
  const std::vector<ListPlanner> &planners; // by projection
  const NeuronGroup group;
  const uint32_t each;
  Lists heard; // by neuron, lists
  std::vector<uint32_t> place, at;
};

} // namespace

void orderInside(const MapNetwork &network, const SynapseFormat &format,
                 uint32_t p, const std::vector<NeuronGroup> &groups,
                 std::vector<uint32_t> &order) {
  std::vector<ListPlanner> planners;
  for (const MapProjection &projection : network.projections)
    planners.emplace_back(format, projection.synapseBits(), false);
  const std::vector<GroupLists> lists = listsOf(network, p, groups, order);
  for (uint32_t g = 0; g < groups.size(); ++g) {
    const NeuronGroup &group = groups[g];
    const std::vector<uint32_t> found =
        Sorter(lists[g], planners, group, network.populations[p].accumulators)
            .run();
    if (found.empty())
      continue;
    const auto first = order.begin() + group.first;
    const std::vector<uint32_t> before(first, first + group.count);
    for (uint32_t k = 0; k < group.count; ++k)
      first[k] = before[found[k]];
  }
}

} // namespace dendrolith::cluster
