// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Retiming.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite::lava {
namespace {

/// The cycle that `node` is on, or was pushed from, by the edges that pushed.
[[noreturn]] void refuseCycle(const std::vector<std::string> &names,
                              const std::vector<TimedEdge> &edges,
                              const std::vector<int64_t> &pushedBy,
                              unsigned node) {
  for (size_t i = 0; i < names.size(); ++i)
    node = edges[pushedBy[node]].from;
  std::vector<unsigned> cycle{node};
  int64_t delay = edges[pushedBy[node]].delay, least = 0;
  least += edges[pushedBy[node]].least;
  for (unsigned at = edges[pushedBy[node]].from; at != node;
       at = edges[pushedBy[at]].from) {
    cycle.push_back(at);
    delay += edges[pushedBy[at]].delay;
    least += edges[pushedBy[at]].least;
  }
  std::string path = "@" + names[node];
  for (auto it = cycle.rbegin(); it != cycle.rend(); ++it)
    path += " -> @" + names[*it];
  throw Error(fmt::format(
      "the cycle {} has a delay of {} ticks, and its {} synapse layers take a "
      "step each in Lava: expected a delay of at least {}",
      path, delay, least, least));
}

} // namespace

std::vector<int64_t> retime(const std::vector<std::string> &names,
                            const std::vector<TimedEdge> &edges) {
  std::vector<int64_t> latency(names.size(), 0), pushedBy(names.size(), -1);
  for (size_t round = 0; round <= names.size(); ++round) {
    bool changed = false;
    for (size_t e = 0; e < edges.size(); ++e) {
      const TimedEdge &edge = edges[e];
      int64_t wanted = latency[edge.from] + edge.least - edge.delay;
      if (wanted <= latency[edge.to])
        continue;
      latency[edge.to] = wanted;
      pushedBy[edge.to] = static_cast<int64_t>(e);
      changed = true;
      if (round == names.size())
        refuseCycle(names, edges, pushedBy, edge.to);
    }
    if (!changed)
      break;
  }
  return latency;
}

} // namespace neurite::lava
