// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Lava model whose references are checked: who sends to whom, element by
// element, in the order in which dend numbers neurons.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_GRAPH_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_GRAPH_H

#include "compiler/import/lava/Synapse.h"
#include "compiler/lava/Processes.h"
#include "compiler/lava/lava.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::lava {

// Lava numbers elements in row-major order of (W, H, C), dend of (C, H, W).

using Shape = std::vector<uint64_t>;

/// The dend number of each element of a Lava shape in row-major order: (W, H,
/// C) becomes (C, H, W). It is empty for the identity.
std::vector<uint32_t> numbering(const Shape &shape);

/// The shape in dend: three extents come the other way round.
std::vector<int64_t> dendShape(const Shape &shape);

/// Tells which element of the sender reaches each element of the receiver after
/// the connection's transpose and reshape, in dend numbers. It is empty for the
/// identity. Throws Error beginning with `what`.
std::vector<uint32_t> elementMap(const Connection &connection,
                                 const Shape &sent, const Shape &received,
                                 const std::string &what);

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
