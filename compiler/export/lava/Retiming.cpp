// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Retiming.h"

#include "compiler/transforms/schedule/DifferenceConstraints.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith::lava {
namespace {

[[noreturn]] void refuseCycle(const std::vector<std::string> &names,
                              const std::vector<TimedEdge> &edges,
                              const std::vector<size_t> &cycle) {
  int64_t delay = 0, least = 0;
  std::string path;
  for (size_t edge : cycle) {
    delay += edges[edge].delay;
    least += edges[edge].least;
    path += "@" + names[edges[edge].from] + " -> ";
  }
  throw Error(fmt::format(
      "the cycle {}@{} has a delay of {} ticks, and its {} synapse layers take "
      "a step each in Lava: expected a delay of at least {}",
      path, names[edges[cycle.front()].from], delay, least, least));
}

} // namespace

std::vector<int64_t> retime(const std::vector<std::string> &names,
                            const std::vector<TimedEdge> &edges) {
  DifferenceConstraints constraints(static_cast<unsigned>(names.size()));
  for (const TimedEdge &edge : edges)
    constraints.add(edge.from, edge.to, edge.least - edge.delay);
  std::vector<int64_t> latency;
  std::vector<size_t> cycle = constraints.solve(latency);
  if (!cycle.empty())
    refuseCycle(names, edges, cycle);
  return latency;
}

} // namespace dendrolith::lava
