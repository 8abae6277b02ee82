// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that change: the largest elements and where they are, and what is read
// or written there.

#include "compiler/import/torch/Layout.h"
#include "compiler/import/torch/Tracer.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dendrolith::torch {

constexpr int64_t kMostRounds = 128; // each is some ten operations

/// Whether anything follows from a tensor.
bool Tracer::isRead(const std::string &tensor) const {
  if (tensor == program.output)
    return true;
  for (const State &state : program.states)
    if (state.after == tensor)
      return true;
  for (const Node &one : program.nodes)
    for (const auto &[input, argument] : one.inputs)
      if (std::count(argument.names.begin(), argument.names.end(), tensor))
        return true;
  return false;
}

/// 0, 1, 2, ... times `step`, as a vector.
std::string Tracer::places(Population *home, int64_t size, int step) {
  std::vector<std::string> all;
  for (int64_t i = 0; i < size; ++i)
    all.push_back(fmt::format("{}.0", i * step));
  const std::string type = tensorType({size});
  return line(home, fmt::format("literal dense<[{}]> : {} as {}",
                                fmt::join(all, ", "), type, type));
}

/// A tensor's elements along an axis, where they are read; `places` are where
/// along it, and are used where they were made.
Tracer::Along Tracer::along(const std::string &tensor, int64_t dim, bool read,
                            const std::string &places) {
  const Shape &shape = shapeOf(tensor);
  auto axis = axisOf(dim, shape.size());
  if (!axis || count(shape) == 0)
    fail("there is no such axis");
  Along made;
  made.axis = *axis;
  made.extent = shape[*axis];
  made.groups = count(shape) / made.extent;
  const Value &value = valueOf(tensor);
  const Body *body = nullptr, *at = nullptr;
  if (auto *found = std::get_if<const Body *>(&value))
    body = *found;
  if (!places.empty())
    if (auto *found = std::get_if<const Body *>(&valueOf(places)))
      at = *found;
  const Body *own = body ? body : read ? nullptr : at;
  if (own && *axis >= own->axis + own->axes && made.groups == own->neurons() &&
      own->axis + own->axes > 0) {
    made.within = true;
    made.frame = {shape, own->axis, own->axes,
                  homeOf({Value(own)}, own->neurons())};
    if (read)
      made.text = operand(value, made.frame, true);
    made.frame.home = made.frame.home->root();
    return made;
  }
  made.frame = {{1, made.groups, made.extent}, 1, 1, nullptr};
  const Shape axes{int64_t(*axis)};
  for (const Collected &one : collections)
    if (read && one.tensor == tensor && one.axes == axes &&
        (places.empty() ||
         (at && one.elements->home->root() == at->home->root()))) {
      made.text = one.elements->text;
      made.frame.home = one.elements->home->root();
      return made;
    }
  Population *home = at && at->neurons() == made.groups
                         ? read ? homeOf({at}, made.groups) : at->home->root()
                         : homeOf({}, made.groups);
  if (read) {
    const Body &all = collected(tensor, axes, home);
    made.text = all.text;
    home = all.home;
  }
  made.frame.home = home->root();
  return made;
}

/// What was made of a vector, one or more for each neuron that has it, as a
/// tensor of a shape.
Value Tracer::across(const Along &vector, const std::string &text,
                     const Shape &shape, bool truth) {
  Population *home = vector.frame.home->root();
  const int64_t each = count(shape) / vector.groups;
  Body made{text, {1, vector.groups, each}, 1, 1, home, truth};
  if (vector.within && shape.size() == vector.frame.shape.size()) {
    made.shape = shape;
    made.axis = vector.frame.axis;
    made.axes = vector.frame.axes;
    return add(std::move(made));
  }
  Gather map(size_t(count(shape)), 0);
  const int64_t inside =
      each == 1 || vector.groups == 1 ? 1 : stridesOf(shape).at(vector.axis);
  for (size_t i = 0; i < map.size(); ++i) {
    const int64_t outer = int64_t(i) / (inside * each);
    map[i] = (outer * inside + int64_t(i) % inside) * each +
             int64_t(i) / inside % each;
  }
  Value moved = movedBody(*add(std::move(made)), map, shape);
  if (std::holds_alternative<Flow>(moved) && level() && home->level == level())
    fail("expected it along the last axis");
  return moved;
}

/// For each place, where along the vector it is: as many truths as there are
/// elements.
std::vector<std::string> Tracer::hits(Along &vector,
                                      const std::string &places) {
  const Value value = valueOf(places);
  const Shape &shape = shapeOf(places);
  const int64_t each = count(shape) / vector.groups;
  Shape one = vector.within ? vector.frame.shape : Shape{};
  auto *body = std::get_if<const Body *>(&value);
  if (each * vector.groups != count(shape) || each == 0 || each > kMostRounds)
    fail(fmt::format("expected 1 to {} places along the axis of each group",
                     kMostRounds));
  std::string text;
  bool sent = true;
  if (vector.within) {
    Frame at = vector.frame;
    at.shape[vector.axis] = each;
    if (at.shape != shape)
      fail("expected places in the shape of the elements, but along the axis");
    text = operand(value, at, true);
    vector.frame.home = at.home->root();
  } else if (body && (*body)->home->root() == vector.frame.home->root() &&
             (*body)->neurons() == vector.groups) {
    text = real(**body, vector.frame.home);
    sent = false;
  } else {
    if (each > 1 && vector.groups > 1 && vector.axis + 1 != shape.size())
      fail("expected places along the last axis");
    Flow flow = flowOf(value);
    flow.shape = {1, vector.groups, each};
    text = port(flow, {flow.shape, 1, 1, vector.frame.home})->text;
  }
  Population *home = vector.frame.home->root();
  std::vector<std::string> made;
  const std::string all = vector.extent == 1
                              ? literal(home, 0, {})
                              : this->places(home, vector.extent, 1);
  for (int64_t i = 0; i < each; ++i) {
    std::string at =
        each == 1 ? text : line(home, fmt::format("element {}[{}]", text, i));
    if (!sent) {
      made.push_back(line(home, fmt::format("cmp eq {}, {}", all, at)));
      continue;
    }
    std::string off = line(home, fmt::format("sub {}, {}", all, at));
    made.push_back(
        line(home, fmt::format("cmp lt {}, {}", line(home, "abs " + off),
                               literal(home, 0.5, {}))));
  }
  return made;
}

/// The largest or least along an axis and their places, in order: as many
/// rounds, each without what the rounds before it took.
Value Tracer::extremesAlong() {
  const std::string &op = node->op;
  Along vector =
      along(node->input("self").names.at(0), node->integer("dim", -1), true);
  Population *home = vector.frame.home->root();
  const int64_t size = vector.extent;
  const bool one = op == "kthvalue" || op == "median";
  bool largest = op == "topk" ? node->integer("largest", 1) != 0
                              : op == "sort" && node->integer("descending", 0);
  int64_t rounds = op == "sort"     ? size
                   : op == "median" ? (size + 1) / 2
                                    : node->integer("k", 1);
  if (rounds < 1 || rounds > size)
    fail("expected at least one of the elements along the axis, and at most "
         "all");
  if (one && rounds > size / 2) {
    largest = true;
    rounds = size + 1 - rounds;
  }
  if (rounds > kMostRounds)
    fail(fmt::format("asks for {} elements, expected at most {}", rounds,
                     kMostRounds));
  auto vectorOf = [&](const std::string &all) {
    return size == 1 ? line(home, fmt::format("element {}[0]", all)) : all;
  };
  auto select = [&](const std::string &is, const std::string &yes,
                    const std::string &no) {
    return line(home, fmt::format("select {}, {}, {}", is, yes, no));
  };
  auto most = [&](const std::string &x) {
    return size == 1 ? x : line(home, "reduce max " + x);
  };
  auto equal = [&](const std::string &x, const std::string &y) {
    return line(home, fmt::format("cmp eq {}, {}", x, y));
  };
  const std::string up = vectorOf(places(home, size, 1)),
                    none = literal(home, -double(size),
                                   size == 1 ? Shape{} : Shape{size});
  std::string left = largest ? vector.text : line(home, "neg " + vector.text),
              open = vectorOf(places(home, size, -1)), least;
  if (rounds > 1) {
    least = line(home, "neg " + most(line(home, "neg " + left)));
    least =
        line(home, fmt::format("splat {} -> {}", least, tensorType({size})));
  }
  std::vector<std::string> found, at;
  for (int64_t i = 0; i < rounds; ++i) {
    found.push_back(most(left));
    std::string is = select(equal(left, found.back()), open, none);
    at.push_back(line(home, "neg " + most(is)));
    if (!largest)
      found.back() = line(home, "neg " + found.back());
    if (i + 1 == rounds)
      break;
    std::string taken = equal(up, at.back());
    left = select(taken, least, left);
    open = select(taken, none, open);
  }
  if (one) {
    found = {found.back()};
    at = {at.back()};
  }
  vector.frame.home = home;
  for (size_t i = node->outputs.size(); i-- > 0;) {
    if (i > 1 || !isRead(node->outputs[i]))
      continue;
    const std::vector<std::string> &all = i ? at : found;
    Value made =
        across(vector,
               all.size() == 1
                   ? all[0]
                   : line(home, fmt::format("concat {}", fmt::join(all, ", "))),
               result(i));
    if (i == 0)
      return made;
    keep(std::move(made), i);
  }
  return std::make_shared<Constant>(
      Constant{result(), std::vector<double>(size_t(count(result())), 0)});
}

/// The elements of `self` at places that change.
Value Tracer::elementAt() {
  const std::string &self = node->input("self").names.at(0),
                    &places = node->input("index").names.at(0);
  Along vector = along(self, node->integer("dim", 0), true, places);
  Shape one = shapeOf(self);
  one[vector.axis] = result().size() == one.size() ? result()[vector.axis] : 0;
  if (result() != one || shapeOf(places) != one)
    fail("expected places in the shape of the elements, but along the axis");
  return chosen(vector, places);
}

/// The elements of a vector at places.
Value Tracer::chosen(Along &vector, const std::string &places) {
  std::vector<std::string> found;
  for (const std::string &is : hits(vector, places)) {
    Population *home = vector.frame.home->root();
    const bool single = vector.extent == 1;
    std::string zero =
        literal(home, 0, single ? Shape{} : Shape{vector.extent});
    found.push_back(
        line(home, fmt::format("select {}, {}, {}", is, vector.text, zero)));
    if (!single)
      found.back() = line(home, "reduce sum " + found.back());
  }
  return across(vector,
                found.size() == 1
                    ? found[0]
                    : line(vector.frame.home->root(),
                           fmt::format("concat {}", fmt::join(found, ", "))),
                result());
}

/// x[:, places] of all neurons along one axis.
Value Tracer::indexedAt(const std::string &self, size_t axis,
                        const std::string &places) {
  Along vector = along(self, int64_t(axis), true, places);
  if (vector.groups != 1 || vector.within)
    fail("expected constant places, or places along the only axis with more "
         "than one element");
  return chosen(vector, places);
}

/// A tensor with a number written at places that change.
Value Tracer::written() {
  const std::string &self = node->input("self").names.at(0),
                    &places = node->input("index").names.at(0);
  double number = node->real("value", 0);
  const Body *own = nullptr; // numbers of their own for all places
  if (node->has("src")) {
    const Value &source = valueOf(node->input("src").names.at(0));
    if (auto *body = std::get_if<const Body *>(&source))
      own = *body;
  }
  if (node->has("src") && !own) {
    const Value &source = valueOf(node->input("src").names.at(0));
    auto *known = std::get_if<ConstantPtr>(&source);
    if (!known || (*known)->values.empty() ||
        std::set<double>((*known)->values.begin(), (*known)->values.end())
                .size() != 1)
      fail("expected one number, which is written at all places");
    number = (*known)->values[0];
  }
  const Value before = valueOf(self);
  auto *known = std::get_if<ConstantPtr>(&before);
  Along vector = along(self, node->integer("dim", 0), false, places);
  std::vector<std::string> all = hits(vector, places);
  Population *home = vector.frame.home->root();
  if (own) {
    if (!known || own->home->root() != home ||
        own->neurons() != vector.groups ||
        count(own->inner()) != int64_t(all.size()) || vector.extent == 1)
      fail("expected numbers that a choice over the same neurons gave, written "
           "into a constant");
    Frame frame = vector.frame;
    Constant before{frame.shape, (*known)->values};
    if (!vector.within && vector.groups > 1 &&
        vector.axis + 1 != result().size())
      fail("expected it along the last axis");
    std::string made = operandOf(before, frame, true);
    for (size_t i = 0; i < all.size(); ++i) {
      std::string one = real(*own, home);
      if (all.size() > 1)
        one = line(home, fmt::format("element {}[{}]", one, i));
      one = line(home, fmt::format("splat {} -> {}", one,
                                   tensorType({vector.extent})));
      made = line(home, fmt::format("select {}, {}, {}", all[i], one, made));
    }
    return across(vector, made, result());
  }
  std::string is = all[0];
  for (size_t i = 1; i < all.size(); ++i)
    is = line(home, fmt::format("max {}, {}", is, all[i]));
  if (!known && !vector.within && level() && home->level == level())
    fail("expected places that a choice over the same neurons gave");
  const Value mask = across(vector, is, result(), true);
  auto everywhere = [&](double value) {
    return known &&
           std::all_of((*known)->values.begin(), (*known)->values.end(),
                       [&](double one) { return one == value; });
  };
  if (number == 1 && everywhere(0))
    return mask;
  return choose(
      {mask, std::make_shared<Constant>(Constant{{}, {number}}), before});
}

} // namespace dendrolith::torch
