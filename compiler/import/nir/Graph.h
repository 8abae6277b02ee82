// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A NIR graph as the file states it: nodes with checked parameters, edges,
// nested graphs dissolved. No discretisation and no MLIR here.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_GRAPH_H
#define DENDROLITH_COMPILER_IMPORT_NIR_GRAPH_H

#include "compiler/import/common/Findings.h"
#include "compiler/import/hdf5/Tree.h"
#include "dialects/dend/Window.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::nir {

enum class Type {
  Input,
  Output,
  Affine,
  Linear,
  Scale,
  Conv1d,
  Conv2d,
  SumPool2d,
  AvgPool2d,
  Flatten,
  Delay,
  Threshold,
  I,
  IF,
  LI,
  LIF,
  CubaLI,
  CubaLIF,
  Graph,
};

const char *typeName(Type type);
/// I, IF, LI, LIF, CubaLI, CubaLIF: becomes a population with states.
bool isNeuron(Type type);
/// A population: a neuron or a Threshold.
bool isPopulation(Type type);
bool isConvolution(Type type); ///< Conv1d, Conv2d
bool isPooling(Type type);     ///< SumPool2d, AvgPool2d
/// Has weights: Affine, Linear, Scale, convolution or pooling.
bool isLinear(Type type);
/// Holds something from one step to the next: a neuron or a Delay.
bool isStateful(Type type);

using Shape = std::vector<uint64_t>;

struct Node {
  std::string name; ///< nested: "outer.inner"
  Type type;
  const hdf5::Node *data = nullptr; ///< the node's group in the tree
  bool wire = false; ///< Input or Output of a nested graph: y = x
  /// Something is wrong with its parameters, so that nothing follows from them.
  bool broken = false;
  Shape in, out; ///< set by inferShapes; batch and time left out

  /// Dataset of that name, null if absent (allowed for optional ones).
  const hdf5::Node *field(const std::string &key) const {
    return data->find(key);
  }
};

struct Edge {
  unsigned from, to;
  bool cut = false; ///< closes a cycle: carries the previous step
};

/// Names a node as warnings do.
inline std::string placeOf(const Node &node) {
  return "node " + quotedName(node.name);
}

/// What a file says itself of how it is read, in the words of --import.
struct Said {
  std::string node; ///< empty: all nodes
  std::string key, value;
};

struct Graph {
  std::string file;
  hdf5::Node tree; ///< owns what the nodes point to
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::optional<double> dt; ///< metadata of the outermost graph
  /// Its metadata "producer": nothing where there is none, "" for no text.
  std::optional<std::string> producer;
  std::vector<Said> said; ///< metadata "import" of the graph and its nodes
  Warnings warnings;
  /// What is wrong with the file: readGraph() throws all of it together.
  Collector faults;

  Graph() = default;
  Graph(Graph &&) = default;
  Graph &operator=(Graph &&) = default;

  template <typename... Args>
  [[noreturn]] void refuse(const Node &node, fmt::format_string<Args...> text,
                           Args &&...args) const {
    throw Error(fmt::format("{}: node {} ({}): ", file, quotedName(node.name),
                            typeName(node.type)) +
                fmt::format(text, std::forward<Args>(args)...));
  }
};

/// Reads and checks the file: types, datasets, numbers, edges, nested graphs.
/// Throws Findings, each naming file, node and reason.
Graph readGraph(const std::string &path, const hdf5::Limits &limits = {});
/// The same of a file that is read already; `path` is for messages.
Graph readGraph(const std::string &path, hdf5::Node tree);

/// Datasets that a node of this type must and may have (GraphFields.cpp).
/// Throws Findings.
void checkFields(const Graph &graph, const Node &node);

/// The window of a convolution or pooling node, whose `in` is known: strides,
/// padding, dilation and groups checked (GraphWindows.cpp). 1-d maps have
/// height 1.
dend::Window windowOf(const Graph &graph, const Node &node);

/// Finds every node's input and output shape and compares them on every edge.
/// What is wrong joins the faults of the graph.
void inferShapes(Graph &graph);

/// Marks the edges that read the previous step, so that each cycle has one or a
/// Delay node that holds all its values: `held` has the least ticks of each
/// node. Where it is empty, Delay nodes hold nothing. Gives the edges that lie
/// on loops of several populations, where another edge could wait instead.
std::vector<unsigned> cutCycles(Graph &graph,
                                const std::vector<int64_t> &held = {});

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_GRAPH_H
