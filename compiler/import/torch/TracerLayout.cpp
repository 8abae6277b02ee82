// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that move. What stays within each neuron becomes operations of its
// body; all else is a question of who sends to whom.

#include "compiler/import/torch/Tracer.h"

#include "compiler/import/torch/Layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace dendrolith::torch {

std::optional<Value> Tracer::layout() {
  static const std::set<std::string> same = {
      "detach", "alias", "lift_fresh_copy", "lift_fresh", "copy"};
  if (same.count(node->op)) {
    Value value =
        valueOf(node->input(node->op == "copy" ? "src" : "self").names.at(0));
    const Shape &own =
        shapeOf(node->input(node->op == "copy" ? "src" : "self").names.at(0));
    if (own != result())
      fail("copies a tensor into one of another shape");
    return value;
  }
  if (!isLayout(node->op))
    return std::nullopt;
  const std::string &from = node->input("self").names.at(0);
  std::vector<Shape> shapes;
  for (const std::string &name : node->outputs)
    shapes.push_back(shapeOf(name));
  auto maps = layoutOf(*node, shapeOf(from), shapes);
  if (!maps)
    fail(fmt::format("the arguments do not fit a tensor of shape {}",
                     textOf(shapeOf(from))));
  const Value value = valueOf(from);
  for (size_t i = shapes.size(); i-- > 0;) {
    const Gather &map = (*maps)[i];
    Value moved;
    if (auto *constant = std::get_if<ConstantPtr>(&value))
      moved = std::make_shared<Constant>(Constant{
          shapes[i], gathered((*constant)->values, map), (*constant)->name});
    else if (auto *flow = std::get_if<Flow>(&value))
      moved = Flow{shapes[i], gathered(flow->rows, map), flow->name};
    else
      moved = movedBody(*std::get<const Body *>(value), map, shapes[i]);
    if (i == 0)
      return moved;
    keep(std::move(moved), i);
  }
  return std::nullopt;
}

/// Whether each neuron of the result draws from the same neuron of the operand,
/// all in the same way; the way of one neuron.
static std::optional<Gather> perNeuron(const Gather &map, int64_t neurons,
                                       int64_t inner) {
  const size_t each = map.size() / size_t(neurons);
  Gather own(map.begin(), map.begin() + long(each));
  for (int64_t at : own)
    if (at < 0 || at >= inner)
      return std::nullopt;
  for (size_t i = 0; i < map.size(); ++i)
    if (map[i] != int64_t(i / each) * inner + own[i % each])
      return std::nullopt;
  return own;
}

Value Tracer::movedBody(const Body &body, const Gather &map,
                        const Shape &shape) {
  const int64_t neurons = body.neurons();
  if (map.size() != size_t(count(shape)) || count(body.shape) == 0)
    fail("the tensors do not fit each other");
  Frame frame{shape};
  for (size_t a = 0; a <= shape.size(); ++a) {
    if (count(Shape(shape.begin(), shape.begin() + long(a))) != 1)
      break;
    for (size_t n = neurons == 1 && shape.empty() ? 0 : 1;
         n <= 3 && a + n <= shape.size(); ++n) {
      frame.axis = a;
      frame.axes = n;
      if (neurons == 1 ? shape.size() - a - n > body.inner().size()
                       : shape[a] == 1)
        continue;
      if (count(Shape(shape.begin() + long(a), shape.begin() + long(a + n))) !=
          neurons)
        continue;
      auto own = perNeuron(map, neurons, count(body.inner()));
      if (!own)
        continue;
      const Shape inner = frame.inner();
      bool same = squeezed(inner) == squeezed(body.inner());
      for (size_t i = 0; same && i < own->size(); ++i)
        same = (*own)[i] == int64_t(i);
      if (same) {
        Body alias = body;
        alias.shape = shape;
        alias.axis = a;
        alias.axes = n;
        alias.origin = body.first();
        return add(std::move(alias));
      }
      frame.home = homeOf({Value(&body)}, neurons);
      const Body *near = here(&body, frame.home);
      frame.home = frame.home->root();
      std::string text =
          remap(frame.home, real(*near, frame.home), body.inner(), inner, *own);
      return add({text, shape, a, n, frame.home});
    }
  }
  Flow all = flowOf(&body);
  return Flow{shape, gathered(all.rows, map)};
}

/// A vector of all elements of one neuron's value.
std::string Tracer::flatten(Population *home, const std::string &text,
                            const Shape &have) {
  if (have.size() < 2)
    return text;
  if (have.size() > 2)
    fail("a value of a neuron has more than two axes, expected a number, a "
         "vector or a matrix");
  std::vector<std::string> rows;
  for (int64_t i = 0; i < have[0]; ++i)
    rows.push_back(line(home, fmt::format("element {}[{}]", text, i)));
  return line(home, fmt::format("concat {}", fmt::join(rows, ", ")));
}

/// A vector whose elements are those of another one.
std::string Tracer::vectorOf(Population *home, const std::string &flat,
                             int64_t size, const Gather &map) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < map.size();) {
    size_t end = i + 1;
    while (end < map.size() && map[end] == map[end - 1] + 1)
      ++end;
    const int64_t length = int64_t(end - i);
    parts.push_back(
        size == 1        ? flat
        : length == size ? flat
        : length == 1 ? line(home, fmt::format("element {}[{}]", flat, map[i]))
                      : line(home, fmt::format("slice {}[{}, {}]", flat, map[i],
                                               length)));
    i = end;
  }
  return parts.size() == 1
             ? parts[0]
             : line(home, fmt::format("concat {}", fmt::join(parts, ", ")));
}

std::string Tracer::remap(Population *home, const std::string &text,
                          const Shape &haveAll, const Shape &wantAll,
                          const Gather &map) {
  const Shape have = squeezed(haveAll), want = squeezed(wantAll);
  bool same = have == want;
  for (size_t i = 0; same && i < map.size(); ++i)
    same = map[i] == int64_t(i);
  if (same)
    return text;
  if (have.empty()) {
    return line(home, fmt::format("splat {} -> {}", text, tensorType(want)));
  }
  if (want.size() > 2)
    fail("a value of a neuron has more than two axes, expected a number, a "
         "vector or a matrix");
  const std::string flat = flatten(home, text, have);
  if (want.size() < 2)
    return vectorOf(home, flat, count(have), map);
  // A matrix is a sum of its distinct rows, each where it stands.
  std::map<Gather, std::vector<int64_t>> rows;
  for (int64_t i = 0; i < want[0]; ++i)
    rows[Gather(map.begin() + i * want[1], map.begin() + (i + 1) * want[1])]
        .push_back(i);
  std::string sum = literal(home, 0, want);
  for (const auto &[row, where] : rows) {
    std::vector<std::string> ones(size_t(want[0]), "0.0");
    for (int64_t i : where)
      ones[size_t(i)] = "1.0";
    std::string type = tensorType({want[0]});
    std::string at = line(home, fmt::format("literal dense<[{}]> : {} as {}",
                                            fmt::join(ones, ", "), type, type));
    std::string values = vectorOf(home, flat, count(have), row);
    sum = line(home, fmt::format("outer_add {}, {}, {}", sum, at, values));
  }
  return sum;
}

/// The same elements in the shape of the result.
Value Tracer::reshaped(const Value &value) {
  Gather same(size_t(count(result())));
  std::iota(same.begin(), same.end(), 0);
  if (auto *body = std::get_if<const Body *>(&value))
    return (*body)->shape == result() ? value
                                      : movedBody(**body, same, result());
  if (auto *flow = std::get_if<Flow>(&value)) {
    if (flow->rows.size() != same.size())
      fail("the tensors do not fit each other");
    return Flow{result(), flow->rows, flow->name};
  }
  const Constant &constant = *std::get<ConstantPtr>(value);
  if (constant.values.size() != same.size())
    fail("the tensors do not fit each other");
  return std::make_shared<Constant>(
      Constant{result(), constant.values, constant.name});
}

Value Tracer::joinTensors() {
  std::vector<Value> parts;
  std::vector<Shape> shapes;
  for (const auto &[name, argument] : node->inputs)
    for (const std::string &tensor : argument.names) {
      if (tensor.empty() || count(shapeOf(tensor)) == 0)
        continue;
      parts.push_back(valueOf(tensor));
      shapes.push_back(shapeOf(tensor));
    }
  if (parts.size() == 1)
    return reshaped(parts[0]);
  if (const Body *body = concatenated(parts, shapes))
    return body;
  auto joined = joinOf(*node, shapes, result());
  if (!joined)
    fail("the tensors do not fit each other");
  bool known = true;
  for (const Value &part : parts)
    known &= std::holds_alternative<ConstantPtr>(part);
  if (known) {
    Constant made{result(), {}};
    for (const Joined &one : *joined)
      made.values.push_back(std::get<ConstantPtr>(parts[one.operand])
                                ->values[size_t(one.element)]);
    return std::make_shared<Constant>(std::move(made));
  }
  std::vector<Flow> flows;
  for (const Value &part : parts)
    flows.push_back(flowOf(part));
  Flow made{result(), {}};
  for (const Joined &one : *joined)
    made.rows.push_back(flows[one.operand].rows[size_t(one.element)]);
  return made;
}

/// Vectors of each neuron one behind the other; null where that is not what
/// the operation does.
const Body *Tracer::concatenated(const std::vector<Value> &parts,
                                 const std::vector<Shape> &shapes) {
  auto axis = axisOf(node->integer("dim", 0), result().size());
  if (!axis || (node->op != "cat" && node->op != "stack"))
    return nullptr;
  const Body *like = nullptr;
  for (const Value &part : parts)
    if (auto *body = std::get_if<const Body *>(&part))
      like = like ? like : *body;
  if (!like || *axis < like->axis + like->axes)
    return nullptr;
  Frame frame{result(), like->axis, like->axes};
  const Shape inner = frame.inner();
  for (size_t i = 0; i < inner.size(); ++i)
    if (inner[i] != 1 && like->axis + like->axes + i != *axis)
      return nullptr; // a matrix is put together by who sends to whom
  frame.home = homeOf(parts, like->neurons());
  std::vector<std::string> texts;
  for (size_t i = 0; i < parts.size(); ++i) {
    Frame own = frame;
    own.shape = shapes[i];
    if (node->op == "stack")
      own.shape.insert(own.shape.begin() + long(*axis), 1);
    if (count(own.shape) == 0)
      continue;
    Value part = parts[i];
    if (auto *body = std::get_if<const Body *>(&part)) {
      if ((*body)->axis + (*body)->axes != like->axis + like->axes)
        return nullptr;
      Gather same(size_t(count(own.shape)));
      for (size_t k = 0; k < same.size(); ++k)
        same[k] = int64_t(k);
      part = movedBody(**body, same, own.shape);
    } else if (auto *flow = std::get_if<Flow>(&part))
      flow->shape = own.shape;
    else {
      auto copy = std::make_shared<Constant>(*std::get<ConstantPtr>(part));
      copy->shape = own.shape;
      part = std::move(copy);
    }
    texts.push_back(operand(part, own, true));
    frame.home = own.home->root();
  }
  return texts.size() == 1
             ? add({texts[0], frame.shape, frame.axis, frame.axes, frame.home})
             : emit(fmt::format("concat {}", fmt::join(texts, ", ")), frame);
}

/// Elements at places that are known: x[:, [0, 2]].
Value Tracer::indexed() {
  const std::string &self = node->input("self").names.at(0);
  const Shape &from = shapeOf(self);
  std::vector<std::string> names = node->input("indices").names;
  if (node->op == "index_select") {
    auto axis = axisOf(node->integer("dim", 0), from.size());
    if (!axis)
      fail("there is no such axis");
    names.assign(*axis, "");
    names.push_back(node->input("index").names.at(0));
  }
  size_t axis = 0;
  const Constant *places = nullptr;
  for (size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) {
      auto *known = std::get_if<ConstantPtr>(&valueOf(names[i]));
      const size_t given =
          size_t(std::count_if(names.begin(), names.end(),
                               [](auto &name) { return !name.empty(); }));
      if (!known && given == 1 && i < from.size())
        return indexedAt(self, i, names[i]);
      if (!known || places)
        fail("expected constant places along one axis");
      places = known->get();
      axis = i;
    }
  if (!places || places->shape.size() > 1 || axis >= from.size())
    fail("expected a constant list of places along one axis");
  const int64_t inside = stridesOf(from)[axis], extent = from[axis];
  if (inside * extent == 0)
    fail("there is nothing to choose from");
  Gather map;
  for (int64_t outer = 0; outer < count(from) / (inside * extent); ++outer)
    for (double place : places->values) {
      const int64_t index = int64_t(place) + (place < 0 ? extent : 0);
      if (index < 0 || index >= extent)
        fail("a place is behind the end of its axis");
      for (int64_t k = 0; k < inside; ++k)
        map.push_back((outer * extent + index) * inside + k);
    }
  if (int64_t(map.size()) != count(result()))
    fail("the places do not give the shape of the result");
  const Value &value = valueOf(self);
  if (auto *constant = std::get_if<ConstantPtr>(&value))
    return std::make_shared<Constant>(
        Constant{result(), gathered((*constant)->values, map)});
  if (auto *flow = std::get_if<Flow>(&value))
    return Flow{result(), gathered(flow->rows, map)};
  return movedBody(*std::get<const Body *>(value), map, result());
}

} // namespace dendrolith::torch
