// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed over several elements of a neuron, or over neurons: sums,
// the largest, softmax and normalisation.

#include "compiler/import/torch/Tracer.h"

#include "compiler/import/torch/Adder.h"
#include "compiler/import/torch/Folding.h"
#include "compiler/import/torch/Layout.h"

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
    if (node->op != "amax")
      return sumOverNeurons(value, axes, factor);
    if (count(result()) != 1)
      fail("is over some of the neurons, expected it over all of them, or over "
           "the elements of each");
    const Body &all = wide(value);
    return reshaped(add({line(all.home, "reduce max " + all.text),
                         {1},
                         0,
                         1,
                         all.home->root()}));
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

/// A neuron of its own that all elements arrive in, as one vector.
const Body &Tracer::wide(const Value &value) {
  Flow flow = flowOf(value);
  flow.shape = {1, count(flow.shape)};
  Frame frame{flow.shape, 0, 1, homeOf({}, 1)};
  return *port(flow, frame);
}

/// The axes from `first` on as one vector of each neuron, or all elements in a
/// neuron of its own.
Tracer::Frame Tracer::vectorFrom(const Value &value, size_t first,
                                 std::string &x) {
  const Shape &shape = result();
  auto *body = std::get_if<const Body *>(&value);
  Frame frame = frameAt(shape, -1);
  if (body && !fits(**body, shape, frame))
    fail("the axes do not fit the tensor");
  if (first >= frame.axis + frame.axes) {
    if (frame.inner().size() != shape.size() - first)
      fail("is over some of the elements of each neuron, expected all");
    frame = frameOf({value}, shape);
    x = operand(value, frame, true);
    return frame;
  }
  if (count(Shape(shape.begin(), shape.begin() + long(first))) != 1)
    fail("is over some of the neurons, expected it over all of them, or over "
         "the elements of each");
  const Body &all = wide(value);
  x = all.text;
  return {all.shape, 0, 1, all.home->root()};
}

Value Tracer::softmax() {
  const Value value = valueOf(node->input("self").names.at(0));
  auto axis = axisOf(node->integer("dim", -1), result().size());
  if (!axis || *axis + 1 != result().size())
    fail("is not over the last axis; expected it over the elements of each "
         "neuron, or over all neurons");
  std::string x;
  Frame frame = vectorFrom(value, *axis, x);
  Population *home = frame.home;
  std::string most = line(home, "reduce max " + x);
  std::string e =
      line(home, "math exp " + line(home, fmt::format("sub {}, {}", x, most)));
  std::string sum = line(home, "reduce sum " + e);
  return reshaped(emit(fmt::format("div {}, {}", e, sum), frame));
}

/// (x - mean) / sqrt(variance + eps), times a weight, plus a bias.
Value Tracer::layerNormalised() {
  const Value value = valueOf(node->input("input").names.at(0));
  const Shape over = node->integers("normalized_shape");
  if (over.empty() || over.size() > result().size())
    fail("the axes do not fit the tensor");
  std::string x;
  Frame frame = vectorFrom(value, result().size() - over.size(), x);
  Population *home = frame.home;
  const Shape inner = squeezed(frame.inner());
  if (inner.size() != 1)
    fail("is over a matrix of each neuron, or over one element; expected a "
         "vector");
  auto two = [&](const char *word, const std::string &a, const std::string &b) {
    return line(home, fmt::format("{} {}, {}", word, a, b));
  };
  std::string part = literal(home, 1 / double(inner[0]), {});
  std::string mean = two("mul", line(home, "reduce sum " + x), part);
  std::string off = two("sub", x, mean);
  std::string square = line(home, "reduce sum " + two("mul", off, off));
  std::string spread = two("add", two("mul", square, part),
                           literal(home, node->real("eps", 1e-5), {}));
  std::string y = two("mul", off, line(home, "math rsqrt " + spread));
  for (const char *name : {"weight", "bias"})
    if (node->has(name)) {
      Constant own =
          *std::get<ConstantPtr>(valueOf(node->input(name).names.at(0)));
      own.shape = inner;
      std::string text = operandOf(own, frame, true);
      y = two(name == std::string("weight") ? "mul" : "add", y, text);
    }
  return reshaped(
      add({y, frame.shape, frame.axis, frame.axes, frame.home->root()}));
}

} // namespace dendrolith::torch
