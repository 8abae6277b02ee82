// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over axes, convolutions and normalisation.

#include "compiler/import/torch/Tracer.h"

#include "compiler/import/torch/Adder.h"
#include "compiler/import/torch/Folding.h"

#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith::torch {

Value Tracer::reduction() {
  const std::string &name = node->input("self").names.at(0);
  const Value value = valueOf(name);
  const Shape &shape = shapeOf(name), axes = reducedAxes(*node, shape.size());
  if (auto *constant = std::get_if<ConstantPtr>(&value)) {
    auto folded = foldReduction(*node, **constant, result());
    if (!folded)
      fail("the axes do not fit the tensor");
    return std::make_shared<Constant>(std::move(*folded));
  }
  const double factor =
      node->op == "mean" ? double(count(result())) / double(count(shape)) : 1;
  auto *found = std::get_if<const Body *>(&value);
  bool inside = found && !axes.empty();
  for (int64_t axis : axes)
    inside &= found && size_t(axis) >= (*found)->axis + (*found)->axes;
  if (!inside) {
    if (node->op == "amax")
      fail("the largest over neurons is not known; a sum over them is");
    return sumOverNeurons(value, axes, factor);
  }
  Shape kept = shape, dropped;
  for (int64_t axis : axes)
    kept[size_t(axis)] = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!std::count(axes.begin(), axes.end(), int64_t(i)))
      dropped.push_back(shape[i]);
  if (result() != kept && result() != dropped)
    fail("the axes do not fit the tensor");
  const Body &body = **found;
  Frame frame{result(), body.axis, body.axes, homeOf({value}, body.neurons())};
  Frame from = frame;
  from.shape = body.shape;
  std::string text = operand(value, from, true);
  frame.home = from.home->root();
  const Shape inner = body.inner(), left = squeezed(frame.inner());
  if (squeezed(inner).empty())
    return add({text, frame.shape, frame.axis, frame.axes, frame.home});
  std::string word = node->op == "amax" ? "max" : "sum";
  if (left.empty())
    text = line(frame.home, fmt::format("reduce {} {}", word, text));
  else if (node->op != "amax" && squeezed(inner).size() == 2) {
    const bool last = left[0] == squeezed(inner)[0] &&
                      shape[size_t(axes[0])] == squeezed(inner)[1] &&
                      size_t(axes.back()) + 1 == shape.size();
    std::string ones = literal(frame.home, 1, {squeezed(inner)[last ? 1 : 0]});
    text = last ? line(frame.home, fmt::format("matvec {}, {}", text, ones))
                : line(frame.home, fmt::format("vecmat {}, {}", ones, text));
  } else
    fail("the largest along one of two axes is not known; a sum is");
  if (factor != 1)
    text = line(frame.home, fmt::format("mul {}, {}", text,
                                        literal(frame.home, factor, {})));
  return add({text, frame.shape, frame.axis, frame.axes, frame.home});
}

Value Tracer::sumOverNeurons(const Value &value, const Shape &axes,
                             double factor) {
  const Flow flow = flowOf(value);
  Gather map = reductionMap(flow.shape, axes);
  std::vector<Adder> sums(size_t(count(result())));
  for (size_t i = 0; i < map.size(); ++i)
    sums.at(size_t(map[i])).add(flow.rows[i], factor);
  Flow made{result(), {}, node->module};
  for (Adder &sum : sums)
    made.rows.push_back(sum.done());
  return made;
}

Value Tracer::convolution() {
  const Value &input = valueOf(node->input("input").names.at(0));
  auto *kernel =
      std::get_if<ConstantPtr>(&valueOf(node->input("weight").names.at(0)));
  const Shape from = shapeOf(node->input("input").names[0]), to = result();
  const Shape stride = node->integers("stride"),
              padding = node->integers("padding"),
              dilation = node->integers("dilation");
  if (!kernel || from.size() != 4 || from[0] != 1 || stride.size() != 2 ||
      padding.size() != 2 || dilation.size() != 2 || to.size() != 4 ||
      to[0] != 1 || (*kernel)->shape.size() != 4 ||
      node->integer("transposed", 0))
    fail("expected a convolution over (1, channels, rows, columns) with a "
         "constant weight");
  const Constant &w = **kernel;
  const int64_t inside = w.shape[1], groups = node->integer("groups", 1);
  if (groups < 1 || inside * groups != from[1] || w.shape[0] != to[1] ||
      to[1] % groups)
    fail("the weight does not fit the channels");
  const int64_t group = to[1] / groups;
  if (dendrolith::product(Shape{count(to), inside, w.shape[2], w.shape[3]}) >
      uint64_t(kMaxEntries))
    fail("has more than 2^26 synapses");
  const Flow flow = plainFlow(input);
  Flow made{to, {}, node->module};
  for (int64_t o = 0; o < to[1]; ++o)
    for (int64_t y = 0; y < to[2]; ++y)
      for (int64_t x = 0; x < to[3]; ++x) {
        Adder adder;
        for (int64_t k = 0; k < inside * w.shape[2] * w.shape[3]; ++k) {
          const int64_t dx = k % w.shape[3], dy = k / w.shape[3] % w.shape[2],
                        c = k / (w.shape[2] * w.shape[3]),
                        row = y * stride[0] - padding[0] + dy * dilation[0],
                        column = x * stride[1] - padding[1] + dx * dilation[1],
                        channel = o / group * inside + c;
          if (row >= 0 && row < from[2] && column >= 0 && column < from[3])
            adder.add(
                flow.rows[size_t((channel * from[2] + row) * from[3] + column)],
                w.values[size_t(o * inside * w.shape[2] * w.shape[3] + k)]);
        }
        made.rows.push_back(adder.done());
      }
  if (!node->has("bias"))
    return made;
  auto bias = std::make_shared<Constant>(
      *std::get<ConstantPtr>(valueOf(node->input("bias").names[0])));
  if (count(bias->shape) != to[1])
    fail("the bias does not fit the channels");
  bias->shape = {1, to[1], 1, 1};
  return added(made, Value(ConstantPtr(bias)), 1);
}

/// BatchNorm as it is when it is not trained: a factor and an offset for each
/// channel, which become weights and biases of the synapses before it.
Value Tracer::normalised() {
  if (result().size() < 2 || result()[0] != 1)
    fail("expected (1, channels, ...)");
  auto channel = [&](const char *name, double otherwise) {
    Constant one{{result()[1]}, {}};
    if (!node->has(name)) {
      one.values.assign(size_t(result()[1]), otherwise);
      return one;
    }
    one = *std::get<ConstantPtr>(valueOf(node->input(name).names.at(0)));
    if (one.shape != Shape{result()[1]})
      fail("the statistics do not fit the channels");
    return one;
  };
  const Constant gain = channel("weight", 1), shift = channel("bias", 0),
                 mean = channel("running_mean", 0),
                 variance = channel("running_var", 1);
  const double epsilon = node->real("eps", 1e-5);
  const Flow flow = flowOf(valueOf(node->input("input").names.at(0)));
  if (flow.shape != result())
    fail("the shapes do not fit each other");
  const int64_t inside = count(result()) / std::max<int64_t>(1, result()[1]);
  Flow made{result(), {}, flow.name};
  for (size_t i = 0; i < flow.rows.size(); ++i) {
    const size_t c = i / size_t(inside) % size_t(result()[1]);
    const double factor =
        gain.values[c] / std::sqrt(variance.values[c] + epsilon);
    Adder adder;
    adder.add(flow.rows[i], factor);
    adder.add(shift.values[c] - mean.values[c] * factor);
    made.rows.push_back(adder.done());
  }
  return made;
}

} // namespace dendrolith::torch
