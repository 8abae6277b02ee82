// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Narrow.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace dendrolith::lava {
namespace {

/// The host inputs whose values reach a port of the node, themselves or through
/// synapses that read more than whether they are 0.
std::set<size_t> inputsOf(const Graph &graph, const GraphNode &node) {
  std::set<size_t> found;
  auto add = [&](const Arrival &arrival) {
    if (arrival.from == Arrival::From::Input)
      found.insert(graph.arrays[arrival.index]);
  };
  for (const auto &port : node.arrivals)
    for (const Arrival &arrival : port) {
      add(arrival);
      if (arrival.from != Arrival::From::Synapse)
        continue;
      const GraphNode &synapse = graph.nodes[arrival.index];
      if (!synapse.synapse.binary)
        std::for_each(synapse.arrivals[0].begin(), synapse.arrivals[0].end(),
                      add);
    }
  return found;
}

double boundOf(const Plan &plan, size_t node) {
  double bound = 0;
  for (const PortPlan &port : plan.ports[node])
    bound = std::max(bound, port.bound);
  return bound;
}

bool isGraded(const Input &input) {
  return input.lowest() < -1 || input.highest() > 1;
}

/// Makes the range of an array's inputs smaller by the factor. False: it was as
/// small as a graded input gets.
bool shrink(const Graph &graph, Model &model, size_t array, double factor) {
  bool changed = false;
  for (int i = 0; i < model.inputs_size(); ++i) {
    Input &input = *model.mutable_inputs(i);
    if (graph.arrays[size_t(i)] != array || !isGraded(input))
      continue;
    auto less = [&](int64_t end) {
      return int64_t(std::trunc(double(end) * factor));
    };
    input.set_lowest(less(input.lowest()));
    input.set_highest(less(input.highest()));
    changed = true;
  }
  return changed;
}

} // namespace

NarrowPlan planWithin(Graph &graph) {
  NarrowPlan result{makePlan(graph), nullptr};
  const Model &given = *graph.model;
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    const NeuronClass *neuron = graph.nodes[node].neuron;
    if (!neuron || className(neuron->lavaClass) != "ATRLIF")
      continue;
    std::set<size_t> inputs = inputsOf(graph, graph.nodes[node]);
    double bound = boundOf(result.plan, node);
    for (bool changed = true; changed && bound > double(kMostCubaInput);) {
      if (!result.model) {
        result.model = std::make_unique<Model>();
        *result.model->mutable_inputs() = given.inputs();
        *result.model->mutable_outputs() = given.outputs();
        *result.model->mutable_connections() = given.connections();
        graph.model = result.model.get();
      }
      changed = false;
      for (size_t array : inputs)
        changed |=
            shrink(graph, *result.model, array, double(kMostCubaInput) / bound);
      result.plan = makePlan(graph);
      bound = boundOf(result.plan, node);
    }
  }
  for (int i = 0; result.model && i < given.inputs_size(); ++i) {
    const Input &now = result.model->inputs(i), &was = given.inputs(i);
    if (graph.arrays[size_t(i)] == size_t(i) &&
        (now.lowest() != was.lowest() || now.highest() != was.highest()))
      result.plan.warnings.push_back(
          {"narrowed-input", fmt::format("input '{}'", now.name()),
           fmt::format("it is taken from {} to {} in place of {} to {}, for "
                       "which ATRLIF behind it is proved exact; a run refuses "
                       "values beyond",
                       now.lowest(), now.highest(), was.lowest(),
                       was.highest())});
  }
  return result;
}

} // namespace dendrolith::lava
