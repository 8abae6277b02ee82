// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Lava model whose references are checked: who sends to whom, element by
// element, in the order in which dend numbers neurons.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_GRAPH_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_GRAPH_H

#include "compiler/import/lava/Order.h"
#include "compiler/import/lava/Synapse.h"
#include "compiler/lava/Processes.h"

#include <map>

namespace dendrolith::lava {

/// What reaches a port: element i of the port gets source element `map[i]`, in
/// dend's numbers on both sides. An empty map is the identity.
struct Arrival {
  enum class From { Input, Neuron, Synapse } from;
  size_t index; ///< in the model's inputs, or in Graph::nodes
  std::vector<uint32_t> map;
};

struct GraphNode {
  const Process *process = nullptr;
  const NeuronClass *neuron = nullptr; ///< else a synapse
  Shape shape;                         ///< of a neuron, Lava's order
  uint64_t count = 0;                  ///< neurons
  Synapse synapse;
  std::vector<std::vector<Arrival>> arrivals; ///< by input port
  bool isRead = false;                        ///< a synapse's a_out
};

struct Graph {
  const Model *model = nullptr;
  std::string place; ///< opens every error's line
  std::vector<GraphNode> nodes;
  std::vector<size_t> outputs; ///< nodes, by the model's outputs
  /// For each of the model's inputs, the first one of the same name: inputs of
  /// one name are one array.
  std::vector<size_t> arrays;
};

/// Checks schema version, run tag, names, classes, shapes, ports, references,
/// transforms and input ranges, and throws Error. The model must outlive the
/// graph.
Graph readGraph(const Model &model, const std::string &place);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_GRAPH_H
