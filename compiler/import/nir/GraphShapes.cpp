// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NIR stores few shapes: a node's shape follows from its parameters, or, where
// those are 0-d or absent, from what feeds it. An edge is the identity on a
// whole tensor, so both ends must have exactly the same shape.

#include "compiler/import/nir/Graph.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace dendrolith::nir {

/// An array of extents (or a single one), as Input, Output and Flatten hold.
static Shape extents(const Graph &graph, const Node &node,
                     const std::string &key) {
  const hdf5::Node &data = *node.field(key);
  Shape shape;
  if (data.shape.size() > 1)
    graph.refuse(node, "dataset '{}' has shape {}, expected (k,)", key,
                 shapeText(data.shape));
  for (double value : data.values) {
    if (!(value >= 1 && value <= 1e9) || value != std::floor(value))
      graph.refuse(node, "{} holds {}, expected whole extents of 1 or more",
                   key, value);
    shape.push_back(static_cast<uint64_t>(value));
  }
  // One number for each would still fit in memory, many times over.
  if (product(shape) > uint64_t(1) << 22)
    graph.refuse(node, "{} {} has more than 2^22 elements", key,
                 shapeText(shape));
  return shape;
}

/// The shape that all parameters that are not 0-d agree on; nothing when all
/// are 0-d. `w_in` may also be one number in an array.
static std::optional<Shape> parameterShape(const Graph &graph,
                                           const Node &node) {
  std::optional<Shape> shape;
  std::string from;
  for (const hdf5::Member &member : node.data->members) {
    const Shape &found = member.node.shape;
    if (member.node.kind != hdf5::Node::Content::Numbers || found.empty())
      continue;
    if (member.name == "w_in" && member.node.values.size() == 1)
      continue;
    if (!shape) {
      shape = found;
      from = member.name;
    } else if (*shape != found) {
      graph.refuse(node,
                   "'{}' has shape {}, expected {} as '{}' has: all parameters "
                   "of a neuron node have one shape",
                   member.name, shapeText(found), shapeText(*shape), from);
    }
  }
  return shape;
}

static void linearShapes(const Graph &graph, Node &node) {
  const Shape &weight = node.field("weight")->shape;
  if (weight.size() < 2)
    graph.refuse(node, "'weight' has shape {}, expected (..., out, in)",
                 shapeText(weight));
  node.in = node.out = Shape(weight.begin(), weight.end() - 2);
  node.out.push_back(weight[weight.size() - 2]);
  node.in.push_back(weight.back());
  if (node.type == Type::Affine && node.field("bias")->shape != node.out)
    graph.refuse(node, "'bias' has shape {}, expected {} to match 'weight' {}",
                 shapeText(node.field("bias")->shape), shapeText(node.out),
                 shapeText(weight));
}

static int64_t wholeNumber(const Graph &graph, const Node &node,
                           const std::string &key) {
  const hdf5::Node &data = *node.field(key);
  if (data.values.size() != 1 || data.values[0] != std::floor(data.values[0]) ||
      std::fabs(data.values[0]) > 64)
    graph.refuse(node, "'{}' is not one whole number", key);
  return static_cast<int64_t>(data.values[0]);
}

static Shape flattened(const Graph &graph, const Node &node) {
  int64_t rank = static_cast<int64_t>(node.in.size());
  int64_t start = wholeNumber(graph, node, "start_dim");
  int64_t end = wholeNumber(graph, node, "end_dim");
  auto inRange = [&](int64_t dim) { return dim >= -rank && dim < rank; };
  if (!inRange(start) || !inRange(end))
    graph.refuse(node,
                 "start_dim {} and end_dim {} do not exist in its input "
                 "{}",
                 start, end, shapeText(node.in));
  start = (start + rank) % rank;
  end = (end + rank) % rank;
  if (start > end)
    graph.refuse(node, "start_dim {} lies behind end_dim {}", start, end);
  Shape out(node.in.begin(), node.in.begin() + start);
  out.push_back(
      product(Shape(node.in.begin() + start, node.in.begin() + end + 1)));
  out.insert(out.end(), node.in.begin() + end + 1, node.in.end());
  return out;
}

/// What follows from `in` where parameters do not say it.
static void followInput(const Graph &graph, Node &node) {
  node.out = node.in;
  if (node.type == Type::Flatten) {
    node.out = flattened(graph, node);
  } else if (isConvolution(node.type) || isPooling(node.type)) {
    dend::Window window = windowOf(graph, node);
    node.out = {uint64_t(window.channels), uint64_t(window.output(0)),
                uint64_t(window.output(1))};
    if (node.type == Type::Conv1d)
      node.out.erase(node.out.begin() + 1);
  }
}

/// A convolution's weight has the channels, `input_shape` the rest, if there.
static bool convolutionShape(const Graph &graph, Node &node) {
  if (!node.field("input_shape"))
    return false;
  size_t axes = node.type == Type::Conv1d ? 1 : 2;
  Shape extent = extents(graph, node, "input_shape");
  if (extent.size() == 1)
    extent.resize(axes, extent[0]);
  const Shape &weight = node.field("weight")->shape;
  const hdf5::Node &groups = *node.field("groups");
  if (extent.size() != axes || weight.size() != axes + 2 ||
      groups.values.size() != 1)
    return false; // windowOf() says what is wrong once the input is known
  node.in = {uint64_t(double(weight[1]) * std::max(groups.values[0], 0.0))};
  node.in.insert(node.in.end(), extent.begin(), extent.end());
  return true;
}

/// Shapes that the node's own data fixes. False: they follow from its input.
static bool ownShape(const Graph &graph, Node &node) {
  switch (node.type) {
  case Type::Input:
  case Type::Output:
    node.in = node.out = extents(graph, node, "shape");
    return true;
  case Type::Affine:
  case Type::Linear:
    linearShapes(graph, node);
    return true;
  case Type::Flatten:
    if (!node.field("input_type"))
      return false;
    node.in = extents(graph, node, "input_type");
    followInput(graph, node);
    return true;
  case Type::Conv1d:
  case Type::Conv2d:
    if (!convolutionShape(graph, node))
      return false;
    followInput(graph, node);
    return true;
  case Type::SumPool2d:
  case Type::AvgPool2d:
    return false;
  default:
    if (std::optional<Shape> shape = parameterShape(graph, node)) {
      node.in = node.out = *shape;
      return true;
    }
    return false;
  }
}

/// Equal but for axes of one element.
static bool differByOnes(Shape a, Shape b) {
  for (Shape *shape : {&a, &b})
    shape->erase(std::remove(shape->begin(), shape->end(), uint64_t(1)),
                 shape->end());
  return a == b;
}

/// Whether a Flatten leaves axes in front that a whole one would take in. Tools
/// count the batch as axis 0 and so write 1 where NIR, without it, means 0.
static bool keepsFirstAxes(const Node &from, const Node &to) {
  return from.type == Type::Flatten && from.out.size() > 1 &&
         to.in == Shape{product(from.in)};
}

static const char *remedyFor(const Node &from, const Node &to) {
  if (keepsFirstAxes(from, to))
    return "its start_dim counts axes without the batch, which NIR leaves out; "
           "write start_dim 0";
  if (differByOnes(from.out, to.in))
    return "an axis of 1 looks like batch or time, which NIR leaves out; "
           "remove it";
  return "correct the shape or put a Flatten node between";
}

/// How many axes a node takes, 0 where that is not known.
static size_t axesOf(const Node &node, bool isKnown) {
  if (isKnown)
    return node.in.size();
  return node.type == Type::Conv1d                          ? 2
         : isConvolution(node.type) || isPooling(node.type) ? 3
                                                            : 0;
}

/// Tools count a batch, and some time, as axes of one in front of an Input or
/// an Output. Takes off those that its neighbour has not.
static void dropBatchAxes(Graph &graph, Node &end, size_t axes) {
  if (axes == 0 || end.in.size() <= axes ||
      std::any_of(end.in.begin(), end.in.end() - axes,
                  [](uint64_t extent) { return extent != 1; }))
    return;
  graph.warnings.push_back(
      {"batch-axis", placeOf(end),
       fmt::format("its shape {} begins with a batch or time, which NIR leaves "
                   "out; it is taken as {}",
                   shapeText(end.in),
                   shapeText(Shape(end.in.end() - axes, end.in.end())))});
  end.in.erase(end.in.begin(), end.in.end() - axes);
  end.out = end.in;
}

static void dropBatchAxes(Graph &graph, Type type,
                          const std::vector<bool> &known) {
  for (const Edge &edge : graph.edges) {
    const bool isInput = type == Type::Input;
    Node &end = graph.nodes[isInput ? edge.from : edge.to];
    const unsigned other = isInput ? edge.to : edge.from;
    if (end.type == type && !end.wire && !end.broken)
      dropBatchAxes(graph, end, axesOf(graph.nodes[other], known[other]));
  }
}

void inferShapes(Graph &graph) {
  std::vector<std::vector<unsigned>> after(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    after[edge.from].push_back(edge.to);
  std::vector<bool> known(graph.nodes.size());
  std::deque<unsigned> todo;
  const bool isWhole = graph.faults.isEmpty();
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    Node &node = graph.nodes[i];
    if (!node.broken)
      node.broken =
          !graph.faults.attempt([&] { known[i] = ownShape(graph, node); });
    if (known[i])
      todo.push_back(i);
  }
  dropBatchAxes(graph, Type::Input, known);
  while (!todo.empty()) {
    const Shape shape = graph.nodes[todo.front()].out;
    for (unsigned next : after[todo.front()]) {
      Node &node = graph.nodes[next];
      if (known[next] || node.broken)
        continue;
      node.in = shape;
      node.broken = !graph.faults.attempt([&] { followInput(graph, node); });
      if (node.broken)
        continue;
      known[next] = true;
      todo.push_back(next);
    }
    todo.pop_front();
  }
  dropBatchAxes(graph, Type::Output, known);
  // A shape that is missing may follow from a node that is wrong.
  if (isWhole && graph.faults.isEmpty())
    for (unsigned i = 0; i < graph.nodes.size(); ++i)
      if (!known[i])
        graph.faults.attempt([&] {
          graph.refuse(graph.nodes[i],
                       "its shape cannot be found: all its parameters are 0-d "
                       "and nothing of known shape feeds it; write them with "
                       "the full shape");
        });
  for (const Edge &edge : graph.edges) {
    const Node &from = graph.nodes[edge.from], &to = graph.nodes[edge.to];
    if (!known[edge.from] || !known[edge.to] || from.out == to.in)
      continue;
    graph.faults.attempt([&] {
      graph.refuse(to, "the edge from {} brings shape {}, expected {}; {}",
                   quotedName(from.name), shapeText(from.out), shapeText(to.in),
                   remedyFor(from, to));
    });
  }
}

} // namespace dendrolith::nir
