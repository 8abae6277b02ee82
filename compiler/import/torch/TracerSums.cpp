// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed over several elements of a neuron, or over neurons: sums,
// the largest, softmax and normalisation.

#include "compiler/import/torch/Folding.h"
#include "compiler/import/torch/Layout.h"
#include "compiler/import/torch/Tracer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace dendrolith::torch {

Value Tracer::reduction() {
  const std::string &name = node->input("self").names.at(0), &op = node->op;
  const Value value = valueOf(name);
  const Shape &shape = shapeOf(name), axes = reducedAxes(*node, shape.size());
  if (auto *constant = std::get_if<ConstantPtr>(&value)) {
    auto folded = foldReduction(*node, **constant, result());
    if (!folded)
      fail("the axes do not fit the tensor");
    return std::make_shared<Constant>(std::move(*folded));
  }
  const double factor =
      op == "mean" ? double(count(result())) / double(count(shape)) : 1;
  const bool sums = op == "sum" || op == "mean";
  auto *found = std::get_if<const Body *>(&value);
  bool inside = found && !axes.empty();
  for (int64_t axis : axes)
    inside &= found && size_t(axis) >= (*found)->axis + (*found)->axes;
  if (!inside && sums)
    return sumOverNeurons(value, axes, factor);
  Shape kept = shape, dropped;
  for (int64_t axis : axes)
    kept[size_t(axis)] = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!std::count(axes.begin(), axes.end(), int64_t(i)))
      dropped.push_back(shape[i]);
  if ((result() != kept && result() != dropped) || count(shape) == 0)
    fail("the axes do not fit the tensor");
  if (inside && !sums) // a matrix along one axis goes to neurons of its rows
    inside = count(kept) == (*found)->neurons();
  if (!inside)
    return reduced(collected(name, axes));
  const Body &body = **found;
  Frame frame{result(), body.axis, body.axes, homeOf({value}, body.neurons())};
  Frame from = frame;
  from.shape = body.shape;
  std::string text = operand(value, from, true);
  frame.home = from.home->root();
  const Shape inner = body.inner(), left = squeezed(frame.inner());
  if (squeezed(inner).empty() && (sums || factor != 1))
    return add({text, frame.shape, frame.axis, frame.axes, frame.home});
  if (left.empty() && !sums) {
    Body whole{text, from.shape, from.axis, from.axes, frame.home};
    return overElements(whole, frame);
  }
  if (left.empty())
    text = line(frame.home, "reduce sum " + text);
  else if (squeezed(inner).size() == 2) {
    const bool last = left[0] == squeezed(inner)[0] &&
                      shape[size_t(axes[0])] == squeezed(inner)[1] &&
                      size_t(axes.back()) + 1 == shape.size();
    std::string ones = literal(frame.home, 1, {squeezed(inner)[last ? 1 : 0]});
    text = last ? line(frame.home, fmt::format("matvec {}, {}", text, ones))
                : line(frame.home, fmt::format("vecmat {}, {}", ones, text));
  } else
    fail("along one of two axes is not known");
  if (factor != 1)
    text = line(frame.home, fmt::format("mul {}, {}", text,
                                        literal(frame.home, factor, {})));
  return add({text, frame.shape, frame.axis, frame.axes, frame.home});
}

/// A neuron for each element that a reduction over `axes` keeps, in which those
/// that it is over arrive as a vector.
const Body &Tracer::collected(const std::string &tensor, const Shape &axes,
                              Population *home) {
  const Flow flow = flowOf(valueOf(tensor));
  const Gather map = reductionMap(flow.shape, axes);
  int64_t groups = count(flow.shape);
  for (int64_t axis : axes)
    groups /= flow.shape[size_t(axis)];
  std::vector<std::vector<RowPtr>> rows(static_cast<size_t>(groups));
  for (size_t i = 0; i < map.size(); ++i)
    rows.at(size_t(map[i])).push_back(flow.rows[i]);
  Flow made{{1, groups, count(flow.shape) / groups}, {}, flow.name};
  for (const auto &group : rows)
    made.rows.insert(made.rows.end(), group.begin(), group.end());
  const Body *all =
      port(made, {made.shape, 1, 1, home ? home : homeOf({}, groups)});
  collections.push_back({tensor, axes, all});
  return *all;
}

/// The reduction of collected elements, in the shape of the result.
Value Tracer::reduced(const Body &all) {
  Frame frame{{1, all.neurons()}, 1, 1, all.home->root()};
  const Body *made = overElements(all, frame);
  if (node->outputs.size() > 1)
    if (auto second = values.find(node->outputs[1]); second != values.end())
      second->second = reshaped(second->second);
  return reshaped(made);
}

/// A value beside what was made of its like, say the largest, is compared with
/// it where that is found: a copy that is sent is rounded and would equal
/// nothing.
std::optional<Value>
Tracer::besideCollected(const std::vector<Value> &operands) {
  for (const size_t turn : {size_t(0), size_t(1)})
    for (const Collected &one : collections) {
      const Body &all = *one.elements;
      auto *body = std::get_if<const Body *>(&operands[turn]);
      const Argument &other = node->input(turn ? "self" : "other");
      if (!body || (*body)->state >= 0 ||
          (*body)->home->root() != all.home->root() ||
          count((*body)->inner()) != 1 ||
          other.names != std::vector<std::string>{one.tensor} ||
          shapeOf(one.tensor) != result())
        continue;
      Gather map = reductionMap(result(), one.axes);
      if (broadcastMap((*body)->shape, result()) != map)
        continue;
      const std::string own = real(**body, all.home->root());
      const auto &[x, y] =
          turn ? std::tie(all.text, own) : std::tie(own, all.text);
      const Body *is = emit(fmt::format("cmp {} {}, {}", node->op, x, y),
                            {all.shape, 1, 1, all.home->root()}, true);
      std::vector<int64_t> next(size_t(all.neurons()), 0);
      for (int64_t &at : map) {
        const size_t group = size_t(at);
        at = at * all.shape[2] + next[group]++;
      }
      return movedBody(*is, map, result());
    }
  return std::nullopt;
}

/// The sum or product of the elements up to each, along an axis.
Value Tracer::cumulative() {
  const std::string &name = node->input("self").names.at(0);
  const Value value = valueOf(name);
  const Shape &shape = result();
  auto axis = axisOf(node->integer("dim", 0), shape.size());
  if (!axis || shape != shapeOf(name))
    fail("the axis does not fit the tensor");
  const int64_t extent = shape[*axis], step = stridesOf(shape)[*axis];
  const bool product = node->op == "cumprod";
  auto before = [&](size_t i) { return int64_t(i) / step % extent; };
  if (auto *known = std::get_if<ConstantPtr>(&value)) {
    Constant made = **known;
    for (size_t i = 0; i < made.values.size(); ++i)
      if (before(i))
        made.values[i] = product
                             ? made.values[i] * made.values[i - size_t(step)]
                             : made.values[i] + made.values[i - size_t(step)];
    return std::make_shared<Constant>(std::move(made));
  }
  auto *body = std::get_if<const Body *>(&value);
  if (body && *axis >= (*body)->axis + (*body)->axes &&
      squeezed((*body)->inner()) == Shape{extent}) {
    Frame frame{shape, (*body)->axis, (*body)->axes,
                homeOf({value}, (*body)->neurons())};
    const std::string x = operand(value, frame, true);
    std::string sum = line(frame.home, fmt::format("element {}[0]", x)),
                all = sum;
    for (int64_t i = 1; i < extent; ++i) {
      std::string one = line(frame.home, fmt::format("element {}[{}]", x, i));
      sum = line(frame.home,
                 fmt::format("{} {}, {}", product ? "mul" : "add", sum, one));
      all += ", " + sum;
    }
    return emit("concat " + all, frame);
  }
  if (product)
    fail("is over neurons, expected it over the elements of each");
  const Flow flow = flowOf(value);
  Flow made{shape, {}, node->module};
  for (size_t i = 0; i < flow.rows.size(); ++i) {
    Adder sum;
    for (int64_t k = 0; k <= before(i); ++k)
      sum.add(flow.rows[i - size_t(k * step)], 1);
    made.rows.push_back(sum.done());
  }
  return made;
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

/// The axes from `first` on as one vector of each neuron, or of neurons of
/// their own.
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
  const int64_t groups =
      count(Shape(shape.begin(), shape.begin() + long(first)));
  if (groups != 1) { // a neuron for each group
    Flow flow = flowOf(value);
    flow.shape = {1, groups, count(shape) / groups};
    const Body &all = *port(flow, {flow.shape, 1, 1, homeOf({}, groups)});
    x = all.text;
    return {all.shape, 1, 1, all.home->root()};
  }
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
