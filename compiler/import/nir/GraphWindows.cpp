// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution and pooling nodes: their numbers, checked, as one window. Scalars
// stand for both axes; 'same' is torch's (the odd row or column of padding lies
// behind), 'valid' is no padding.

#include "compiler/import/nir/Graph.h"
#include "targets/support/Text.h"

#include <cmath>

namespace dendrolith::nir {

using dend::Window;

/// One or `axes` whole numbers of at least `least`; a 1-d node gets its value
/// behind `height`, what the axis that it lacks has.
static std::array<int64_t, 2> pairOf(const Graph &graph, const Node &node,
                                     const std::string &key, int64_t least,
                                     int64_t height) {
  const hdf5::Node &data = *node.field(key);
  size_t axes = node.type == Type::Conv1d ? 1 : 2;
  if (data.values.size() != 1 && data.values.size() != axes)
    graph.refuse(node, "'{}' has {} values, expected {}", key,
                 data.values.size(), axes == 1 ? "one" : "one or two");
  std::array<int64_t, 2> pair{height, height};
  for (size_t i = 0; i < axes; ++i) {
    double value = data.values[data.values.size() == 1 ? 0 : i];
    if (!(value >= double(least) && value <= 1e6) || value != std::floor(value))
      graph.refuse(node, "'{}' holds {}, expected whole numbers from {} to 1e6",
                   key, value, least);
    pair[i + 2 - axes] = int64_t(value);
  }
  return pair;
}

static void setPadding(const Graph &graph, const Node &node, Window &window) {
  const hdf5::Node &data = *node.field("padding");
  if (data.kind != hdf5::Node::Content::Strings) {
    std::array<int64_t, 2> pad = pairOf(graph, node, "padding", 0, 0);
    window.padding = {pad[0], pad[1], pad[0], pad[1]};
    return;
  }
  std::string text = data.strings.size() == 1 ? data.strings[0] : "";
  if (text == "valid")
    return;
  if (text != "same")
    graph.refuse(node,
                 "padding {} is unknown, expected numbers, 'same' or "
                 "'valid'",
                 quotedName(text));
  for (int axis : {0, 1}) {
    if (window.stride[axis] != 1)
      graph.refuse(node,
                   "padding 'same' with stride {}: tools disagree on what it "
                   "means; write the padding as numbers",
                   window.stride[axis]);
    int64_t total = (window.kernel[axis] - 1) * window.dilation[axis];
    window.padding[axis] = total / 2;
    window.padding[axis + 2] = total - total / 2;
  }
}

static void setWeights(const Graph &graph, const Node &node, Window &window) {
  const Shape &shape = node.field("weight")->shape;
  bool flat = node.type == Type::Conv1d;
  if (shape.size() != (flat ? 3u : 4u))
    graph.refuse(node,
                 "'weight' has shape {}, expected (out channels, in "
                 "channels / groups, {})",
                 shapeText(shape), flat ? "kernel" : "height, width");
  const hdf5::Node &groups = *node.field("groups");
  double count = groups.values.size() == 1 ? groups.values[0] : 0;
  if (!(count >= 1 && count <= 1e6) || count != std::floor(count))
    graph.refuse(node, "'groups' is not one whole number of 1 or more");
  window.groups = int64_t(count);
  window.channels = int64_t(shape[0]);
  window.kernel = {flat ? 1 : int64_t(shape[2]), int64_t(shape.back())};
  window.dilation = pairOf(graph, node, "dilation", 1, 1);
  if (int64_t(shape[1]) * window.groups != window.input[0] ||
      window.channels % window.groups != 0)
    graph.refuse(node,
                 "'weight' {} with {} groups takes {} input channels, found {}"
                 "{}",
                 shapeText(shape), window.groups,
                 int64_t(shape[1]) * window.groups, window.input[0],
                 window.channels % window.groups
                     ? ", and its output channels are no multiple of the groups"
                     : "");
  if (product(node.field("bias")->shape) != shape[0] ||
      node.field("bias")->shape.size() != 1)
    graph.refuse(node,
                 "'bias' has shape {}, expected ({},), one for each "
                 "output channel",
                 shapeText(node.field("bias")->shape), shape[0]);
}

Window windowOf(const Graph &graph, const Node &node) {
  bool flat = node.type == Type::Conv1d;
  if (node.in.size() != (flat ? 2u : 3u))
    graph.refuse(node,
                 "its input has shape {}, expected (channels, {}) "
                 "without batch and time",
                 shapeText(node.in), flat ? "length" : "height, width");
  Window window;
  window.input = {int64_t(node.in[0]), flat ? 1 : int64_t(node.in[1]),
                  int64_t(node.in.back())};
  window.stride = pairOf(graph, node, "stride", 1, 1);
  if (isConvolution(node.type)) {
    setWeights(graph, node, window);
  } else {
    window.channels = window.groups = window.input[0];
    window.kernel = pairOf(graph, node, "kernel_size", 1, 1);
  }
  setPadding(graph, node, window);
  if (isPooling(node.type) && (2 * window.padding[0] > window.kernel[0] ||
                               2 * window.padding[1] > window.kernel[1]))
    graph.refuse(node,
                 "padding of more than half of kernel_size leaves windows "
                 "without input; correct it");
  if (window.output(0) == 0 || window.output(1) == 0)
    graph.refuse(node,
                 "its kernel ({}, {}) with dilation ({}, {}) is larger "
                 "than its padded input {}",
                 window.kernel[0], window.kernel[1], window.dilation[0],
                 window.dilation[1], shapeText(node.in));
  if (double(window.channels) * double(window.output(0)) *
          double(window.output(1)) >
      double(uint64_t(1) << 31))
    graph.refuse(node, "its output has more than 2^31 elements");
  return window;
}

} // namespace dendrolith::nir
