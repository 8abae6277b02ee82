// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/WiringOrder.h"

#include <deque>

namespace neurite::nir {

std::vector<unsigned> linearOrder(const Graph &graph) {
  std::vector<unsigned> unmet(graph.nodes.size(), 0), order;
  std::vector<std::vector<unsigned>> after(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    if (!isSource(graph.nodes[edge.from]) && !isSink(graph.nodes[edge.to])) {
      after[edge.from].push_back(edge.to);
      ++unmet[edge.to];
    }
  std::deque<unsigned> ready;
  size_t count = 0;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    if (isSource(graph.nodes[i]) || isSink(graph.nodes[i]))
      continue;
    ++count;
    if (unmet[i] == 0)
      ready.push_back(i);
  }
  while (!ready.empty()) {
    order.push_back(ready.front());
    ready.pop_front();
    for (unsigned next : after[order.back()])
      if (--unmet[next] == 0)
        ready.push_back(next);
  }
  if (order.size() != count)
    for (unsigned i = 0; i < graph.nodes.size(); ++i)
      if (unmet[i] != 0)
        graph.refuse(graph.nodes[i],
                     "it lies on a cycle of linear nodes and delays without a "
                     "neuron; put a population on the cycle");
  return order;
}

void checkDelays(const Graph &graph, const Policy &policy,
                 const std::vector<Projection> &projections) {
  size_t count = graph.nodes.size();
  std::vector<std::vector<unsigned>> after(count);
  std::vector<unsigned> unmet(count, 0);
  for (const Projection &p : projections)
    if (p.delay == 0) {
      after[p.source].push_back(p.target);
      ++unmet[p.target];
    }
  std::deque<unsigned> ready;
  for (unsigned i = 0; i < count; ++i)
    if (unmet[i] == 0)
      ready.push_back(i);
  while (!ready.empty()) {
    unsigned node = ready.front();
    ready.pop_front();
    for (unsigned next : after[node])
      if (--unmet[next] == 0)
        ready.push_back(next);
  }
  for (unsigned i = 0; i < count; ++i)
    if (unmet[i] != 0)
      graph.refuse(graph.nodes[i],
                   "it lies on a cycle without delay, because --loop-delay is "
                   "{}; give 1 or more",
                   policy.options.loopDelay);
}

} // namespace neurite::nir
