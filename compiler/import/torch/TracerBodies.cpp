// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of neurons: in which population they are, and their text.

#include "compiler/import/torch/Tracer.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith::torch {

const Body *Tracer::add(Body body) {
  built.bodies.push_back(std::move(body));
  return &built.bodies.back();
}

Population *Tracer::population(int64_t neurons, unsigned level) {
  built.populations.emplace_back();
  Population &made = built.populations.back();
  made.neurons = neurons;
  made.level = level;
  return &made;
}

Population *Tracer::join(Population *a, Population *b) {
  a = a->root();
  b = b->root();
  if (a == b)
    return a;
  if (a->neurons != b->neurons)
    fail(
        fmt::format("puts {} and {} neurons together", a->neurons, b->neurons));
  auto take = [](auto &to, auto &from) {
    to.insert(to.end(), from.begin(), from.end());
    from.clear();
  };
  take(a->ports, b->ports);
  take(a->parameters, b->parameters);
  take(a->states, b->states);
  take(a->lines, b->lines);
  take(a->emissions, b->emissions);
  if (a->name.empty())
    a->name = b->name;
  b->joined = a;
  return a;
}

/// "%name" that no other value has.
std::string Tracer::nameFor(Population *, const std::string &wish) {
  std::string name;
  for (char c : wish)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
    name = "v" + name;
  std::string whole = "%" + name;
  while (!names.insert(whole).second)
    whole = fmt::format("%{}_{}", name, ++counter);
  return whole;
}

/// The neurons of a shape: those of an axis that `neurons` says, else the
/// first axis behind a batch of 1; of images all three axes.
Tracer::Frame Tracer::frameAt(const Shape &shape, int64_t neurons) const {
  Frame frame{shape, 0, shape.empty() ? size_t(0) : size_t(1)};
  if (shape.size() >= 2 && shape[0] == 1)
    frame.axis = 1;
  if (frame.axis == 1 && imageRanks.count(shape.size()))
    frame.axes = shape.size() - 1;
  for (size_t i = 0; neurons >= 0 && i < shape.size(); ++i)
    if (shape[i] == neurons &&
        count(Shape(shape.begin(), shape.begin() + long(i))) == 1) {
      frame.axis = i;
      frame.axes = 1;
      break;
    }
  return frame;
}

/// Where the neurons of a body are in a shape that it is broadcast to.
bool Tracer::fits(const Body &body, const Shape &shape, Frame &frame) const {
  const size_t inner = body.shape.size() - body.axis - body.axes;
  const int64_t neurons = body.neurons();
  if (shape.size() < inner)
    return false;
  const size_t end = shape.size() - inner;
  size_t axis = end > 0 && neurons == 1 && !body.shape.empty() ? end - 1 : end;
  int64_t found =
      count(Shape(shape.begin() + long(axis), shape.begin() + long(end)));
  while (axis > 0 && found < neurons)
    found *= shape[--axis];
  frame = {shape, axis, end - axis};
  return found == neurons &&
         count(Shape(shape.begin(), shape.begin() + long(axis))) == 1;
}

Tracer::Frame Tracer::frameOf(const std::vector<Value> &given,
                              const Shape &shape) {
  Frame frame;
  for (const bool single : {false, true}) // what one neuron holds, last
    for (const Value &one : given)
      if (auto *body = std::get_if<const Body *>(&one))
        if (((*body)->neurons() == 1) == single && fits(**body, shape, frame)) {
          frame.home = homeOf(given, (*body)->neurons());
          return frame;
        }
  frame = frameAt(shape, -1);
  if (count(Shape(shape.begin(), shape.begin() + long(frame.axis))) != 1)
    fail(fmt::format("gives {}, in which no axis is that of the neurons; "
                     "expected (1, neurons, ...)",
                     textOf(shape)));
  frame.home = homeOf(
      given, count(Shape(shape.begin() + long(frame.axis),
                         shape.begin() + long(frame.axis + frame.axes))));
  return frame;
}

Population *Tracer::homeOf(const std::vector<Value> &given, int64_t neurons) {
  Population *home = nullptr;
  for (const Value &one : given)
    if (auto *body = std::get_if<const Body *>(&one)) {
      Population *own = (*body)->home->root();
      if (own->level == level() && own->neurons == neurons)
        home = home ? join(home, own) : own;
    }
  home = home ? home : population(neurons, level());
  if (home->name.empty() && node)
    home->name = node->module;
  return home;
}

const Body *Tracer::here(const Body *body, Population *home) {
  home = home->root();
  Population *own = body->home->root();
  if (own == home)
    return body;
  if (own->level == home->level && own->neurons == home->neurons) {
    join(home, own);
    return body;
  }
  Frame frame{body->shape, body->axis, body->axes, home};
  return port(flowOf(body), frame);
}

/// What arrives as a value of the neurons of `where`; each has its own
/// accumulators.
const Body *Tracer::port(const Flow &flow, const Frame &where) {
  Shape inner = where.inner(), full = where.shape;
  const size_t rank = flow.shape.size(), all = where.shape.size();
  for (size_t i = where.axis + where.axes; i < all; ++i)
    full[i] = all - i <= rank ? flow.shape[rank - (all - i)] : 1;
  std::vector<RowPtr> rows =
      gathered(flow.rows, broadcastMap(flow.shape, full));
  Population *home = where.home->root();
  std::string key = fmt::format("{}|{}|", fmt::ptr(home), textOf(full));
  for (const RowPtr &row : rows)
    key += fmt::format("{},", fmt::ptr(row.get()));
  if (auto found = ports.find(key); found != ports.end())
    return found->second;
  Port made;
  made.text = nameFor(home, flow.name.empty() ? "i" : flow.name);
  made.rows = std::move(rows);
  Body body{made.text, full, where.axis, where.axes, home};
  made.inner = squeezed(body.inner());
  home->ports.push_back(std::move(made));
  return ports[key] = add(std::move(body));
}

std::string Tracer::line(Population *home, const std::string &text) {
  std::string name;
  do
    name = fmt::format("%v{}", ++counter);
  while (!names.insert(name).second);
  home->root()->lines.push_back(
      {name, "dend." + text, node ? node->place : std::string()});
  return name;
}

/// A number as the dialect reads it: with a point.
static std::string numberText(double value) {
  std::string text = fmt::format("{}", value);
  size_t e = text.find('e');
  if (text.find('.') == std::string::npos)
    text.insert(e == std::string::npos ? text.size() : e, ".0");
  return text;
}

std::string Tracer::literal(Population *home, double value,
                            const Shape &inner) {
  if (!std::isfinite(value))
    fail("has a constant that is not finite");
  if (inner.empty())
    return line(home, fmt::format("literal {}", numberText(value)));
  std::string type = tensorType(inner);
  return line(home, fmt::format("literal dense<{}> : {} as {}",
                                numberText(value), type, type));
}

std::string Tracer::operandOf(const Constant &value, Frame &frame, bool whole) {
  auto map = broadcast(value.shape, frame.shape);
  if (!map || *map != frame.shape)
    fail(fmt::format("a constant of shape {} does not fit {}",
                     textOf(value.shape), textOf(frame.shape)));
  const Shape inner = squeezed(frame.inner());
  const auto [low, high] =
      std::minmax_element(value.values.begin(), value.values.end());
  if (*low == *high)
    return literal(frame.home, *low, whole ? inner : Shape{});
  std::vector<double> all =
      gathered(value.values, broadcastMap(value.shape, frame.shape));
  const size_t each = size_t(count(inner)), total = all.size();
  bool same = true;
  for (size_t i = each; i < total && same; ++i)
    same = all[i] == all[i - each];
  if (same)
    all.resize(each);
  // One number for each neuron needs no copy for each of its elements.
  Shape own = inner;
  bool flat = !whole && !inner.empty();
  for (size_t i = 0; i < all.size() && flat; ++i)
    flat = all[i] == all[i - i % each];
  if (flat) {
    for (size_t i = 0; i < all.size() / each; ++i)
      all[i] = all[i * each];
    all.resize(all.size() / each);
    own.clear();
  }
  for (double one : all)
    if (!std::isfinite(one))
      fail("has a constant that is not finite");
  Population *home = frame.home->root();
  for (const Parameter &one : home->parameters)
    if (one.perNeuron == !same && one.inner == own && one.values == all)
      return one.text;
  std::string text = nameFor(home, value.name.empty() ? "p" : value.name);
  home->parameters.push_back({text, own, !same, std::move(all)});
  return text;
}

/// A truth as the number 1 or 0.
std::string Tracer::real(const Body &body, Population *home) {
  if (!body.truth)
    return body.text;
  std::string &made =
      reals[fmt::format("{}|{}", body.text, fmt::ptr(home->root()))];
  if (made.empty()) {
    const Shape inner = squeezed(body.inner());
    std::string one = literal(home, 1, inner), zero = literal(home, 0, inner);
    made = line(home, fmt::format("select {}, {}, {}", body.text, one, zero));
  }
  return made;
}

/// The text of an operand in the frame. A number or a value with one element
/// stays one unless the `whole` shape is asked for; a `truth` stays one where
/// it is asked for.
std::string Tracer::operand(const Value &value, Frame &frame, bool whole,
                            bool truth) {
  if (auto *constant = std::get_if<ConstantPtr>(&value))
    return operandOf(**constant, frame, whole);
  const Body *body = nullptr;
  if (auto *own = std::get_if<const Body *>(&value)) {
    Frame fit;
    if (fits(**own, frame.shape, fit) &&
        fit.inner().size() == frame.inner().size())
      body = here(*own, frame.home);
  }
  if (!body)
    body = port(flowOf(value), frame);
  frame.home = frame.home->root();
  const bool same = squeezed(body->inner()) == squeezed(frame.inner());
  std::string text = truth && body->truth && (same || !whole)
                         ? body->text
                         : real(*body, frame.home);
  const Shape have = body->inner(), want = frame.inner();
  if (squeezed(have) == squeezed(want) || (!whole && count(have) == 1))
    return text;
  return remap(frame.home, text, have, want, broadcastMap(have, want));
}

/// A condition, as true or false.
std::string Tracer::condition(const Value &value, Frame &frame, bool whole) {
  auto *body = std::get_if<const Body *>(&value);
  std::string text = operand(value, frame, whole, true);
  if (body && (*body)->truth && text == (*body)->text)
    return text;
  return line(frame.home,
              fmt::format("cmp ne {}, {}", text, literal(frame.home, 0, {})));
}

/// Whether a value has all elements that a neuron has in the frame.
static bool isWhole(const Value &value, const Shape &inner) {
  if (std::holds_alternative<ConstantPtr>(value))
    return false;
  auto *body = std::get_if<const Body *>(&value);
  const Shape &shape = body ? (*body)->shape : std::get<Flow>(value).shape;
  return shape.size() >= inner.size() &&
         std::equal(inner.rbegin(), inner.rend(), shape.rbegin());
}

/// The texts of all operands, at least one of which has the frame's shape.
std::vector<std::string> Tracer::texts(const std::vector<Value> &values,
                                       Frame &frame) {
  bool whole = squeezed(frame.inner()).empty();
  for (const Value &one : values)
    whole |= isWhole(one, frame.inner());
  std::vector<std::string> all;
  for (const Value &one : values) {
    all.push_back(operand(one, frame, !whole));
    whole = true;
  }
  return all;
}

const Body *Tracer::emit(const std::string &text, const Frame &frame,
                         bool truth) {
  Body body{line(frame.home, text), frame.shape, frame.axis, frame.axes,
            frame.home->root()};
  body.truth = truth;
  return add(std::move(body));
}

} // namespace dendrolith::torch
