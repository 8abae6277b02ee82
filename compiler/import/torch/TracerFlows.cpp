// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is sent, and constant linear maps over it.

#include "compiler/import/torch/Tracer.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith::torch {

int Tracer::source(const Source &wanted) {
  int fresh = int(built.sources.size());
  int &known = wanted.kind == Source::Kind::State
                   ? sourceOfState.emplace(wanted.state, fresh).first->second
                   : sourceOf.emplace(wanted.body, fresh).first->second;
  if (known == fresh)
    built.sources.push_back(wanted);
  return known;
}

/// A message of a step ago is zero in the first one. Where the state does not
/// begin at zero, a population between them gives what it begins with.
const Body *Tracer::relay(int state) {
  if (auto found = relays.find(state); found != relays.end())
    return found->second;
  const State &given = program.states[size_t(state)];
  const Body &own = *std::get<const Body *>(valueOf(given.before));
  Frame frame{own.shape, own.axis, own.axes};
  frame.home = population(own.neurons(), 0);
  frame.home->level = ~0u; // nothing else is computed there
  frame.home->name = given.name + "_before";
  Flow late{own.shape, {}};
  int from = source({Source::Kind::State, nullptr, state, count(own.shape)});
  for (int64_t i = 0; i < count(own.shape); ++i)
    late.rows.push_back(std::make_shared<Row>(Row{{{from, i, 1.0}}}));
  const Body *arrived = port(late, frame);
  Slot begun{nameFor(frame.home, "begun"), {}, {}, ""};
  std::string start = operandOf(given.start, frame, true);
  std::string zero = literal(frame.home, 0, {});
  begun.start.assign(size_t(own.neurons()), 0.0);
  begun.next = literal(frame.home, 1, {});
  std::string is =
      line(frame.home, fmt::format("cmp gt {}, {}", begun.text, zero));
  frame.home->states.push_back(begun);
  return relays[state] = emit(
             fmt::format("select {}, {}, {}", is, arrived->text, start), frame);
}

Flow Tracer::sentBy(const Body &body) {
  const Body *first = body.first();
  Source wanted{Source::Kind::Body, first, -1, count(body.shape)};
  if (body.state >= 0) {
    const auto &start = program.states[size_t(body.state)].start.values;
    wanted = {Source::Kind::State, nullptr, body.state, count(body.shape)};
    if (std::any_of(start.begin(), start.end(), [](double v) { return v; }))
      wanted = {Source::Kind::Body, relay(body.state), -1, count(body.shape)};
  } else if (at < sends.size())
    sends[at] = true;
  const int from = source(wanted);
  Flow flow{body.shape, {}};
  for (int64_t i = 0; i < count(body.shape); ++i)
    flow.rows.push_back(std::make_shared<Row>(Row{{{from, i, 1.0}}}));
  return flow;
}

Flow Tracer::flowOf(const Value &value) {
  if (auto *flow = std::get_if<Flow>(&value))
    return *flow;
  if (auto *body = std::get_if<const Body *>(&value))
    return sentBy(**body);
  const Constant &constant = *std::get<ConstantPtr>(value);
  Flow flow{constant.shape, {}};
  for (double one : constant.values)
    flow.rows.push_back(one ? std::make_shared<Row>(Row{{}, one}) : nullptr);
  return flow;
}

/// What can be weighted: where sums of synapses arrive, a population of its own
/// passes them on.
Flow Tracer::plainFlow(const Value &value) {
  Flow flow = flowOf(value);
  bool plain = true;
  for (const RowPtr &row : flow.rows)
    plain &= !row || row->isPlain();
  if (plain)
    return flow;
  Frame frame = frameAt(flow.shape, -1);
  if (frame.axis > 0 || flow.shape.size() < 2) {
    frame.home = homeOf(
        {}, count(Shape(flow.shape.begin() + long(frame.axis),
                        flow.shape.begin() + long(frame.axis + frame.axes))));
    return sentBy(*port(flow, frame));
  }
  frame.axes = flow.shape.size();
  frame.home = homeOf({}, count(flow.shape));
  return sentBy(*port(flow, frame));
}

Flow Tracer::added(const Flow &a, const Value &b, double sign) {
  const Flow other = flowOf(b);
  auto shape = broadcast(a.shape, other.shape);
  if (!shape)
    fail("the shapes do not fit each other");
  Gather left = broadcastMap(a.shape, *shape),
         right = broadcastMap(other.shape, *shape);
  Flow sum{*shape, {}, a.name.empty() ? other.name : a.name};
  for (size_t i = 0; i < left.size(); ++i) {
    Adder adder;
    adder.add(a.rows[size_t(left[i])], 1);
    adder.add(other.rows[size_t(right[i])], sign);
    sum.rows.push_back(adder.done());
  }
  return sum;
}

/// A value of one neuron times a matrix, each neuron with the same; null where
/// the product adds up over neurons.
const Body *Tracer::within(const Body &body, const Constant &matrix,
                           bool bodyFirst) {
  const size_t rank = body.shape.size();
  const bool wide = body.axis == 0 && body.neurons() == 1;
  if (!bodyFirst || wide || body.axis + body.axes != rank - 1 ||
      body.axis > rank - 2 || squeezed(body.inner()).empty())
    return nullptr;
  Frame frame{result(), body.axis, body.axes};
  if (!std::equal(body.shape.begin(), body.shape.end() - 1, result().begin()))
    return nullptr;
  frame.home = homeOf({Value(&body)}, body.neurons());
  const int64_t in = matrix.shape[0], out = matrix.shape[1];
  Constant turned{{out, in}, {}, matrix.name};
  for (int64_t o = 0; o < out; ++o)
    for (int64_t i = 0; i < in; ++i)
      turned.values.push_back(matrix.values[size_t(i * out + o)]);
  Frame source = frame;
  source.shape = body.shape;
  std::string x = operand(&body, source, true);
  frame.home = source.home->root();
  if (out == 1)
    turned.shape = {in};
  Frame whole = frame; // the matrix is no value of the neurons' shape
  whole.shape = frame.shape;
  whole.shape.resize(frame.axis + frame.axes);
  whole.shape.insert(whole.shape.end(), turned.shape.begin(),
                     turned.shape.end());
  std::string m = operandOf(turned, whole, true);
  return emit(fmt::format("{} {}, {}", out == 1 ? "dot" : "matvec", m, x),
              frame);
}

Value Tracer::multiply(const Value &a, const Value &b, const Value *bias) {
  auto *left = std::get_if<ConstantPtr>(&a),
       *right = std::get_if<ConstantPtr>(&b);
  if (!left && !right)
    fail("multiplies two values that both change, expected a constant matrix");
  auto rank = [&](const Value &value) {
    auto *body = std::get_if<const Body *>(&value);
    auto *flow = std::get_if<Flow>(&value);
    return body   ? (*body)->shape.size()
           : flow ? flow->shape.size()
                  : std::get<ConstantPtr>(value)->shape.size();
  };
  if (rank(a) != 2 || rank(b) != 2)
    fail("expected two matrices");
  if (right && std::holds_alternative<const Body *>(a))
    if (const Body *body = within(*std::get<const Body *>(a), **right, true)) {
      if (!bias)
        return body;
      Frame frame{result(), body->axis, body->axes, body->home->root()};
      std::string x = body->text, c = operand(*bias, frame);
      return emit(fmt::format("add {}, {}", x, c), frame);
    }
  const Flow flow = plainFlow(right ? a : b);
  const Constant &matrix = right ? **right : **left;
  const int64_t rows = right ? flow.shape[0] : matrix.shape[0],
                inside = right ? flow.shape[1] : flow.shape[0],
                columns = right ? matrix.shape[1] : flow.shape[1];
  if (inside != (right ? matrix.shape[0] : matrix.shape[1]))
    fail("the shapes do not fit each other");
  if (dendrolith::product(Shape{rows, inside, columns}) > uint64_t(kMaxEntries))
    fail("has more than 2^26 weights");
  Flow sums{{rows, columns}, {}, node->module};
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      Adder adder;
      for (int64_t k = 0; k < inside; ++k)
        if (right)
          adder.add(flow.rows[size_t(r * inside + k)],
                    matrix.values[size_t(k * columns + c)]);
        else
          adder.add(flow.rows[size_t(k * columns + c)],
                    matrix.values[size_t(r * inside + k)]);
      sums.rows.push_back(adder.done());
    }
  return bias ? Value(added(sums, *bias, 1)) : Value(std::move(sums));
}

/// The transpose of a constant matrix.
static ConstantPtr turned(const Constant &matrix) {
  Constant made{{matrix.shape[1], matrix.shape[0]}, {}, matrix.name};
  for (int64_t c = 0; c < matrix.shape[1]; ++c)
    for (int64_t r = 0; r < matrix.shape[0]; ++r)
      made.values.push_back(matrix.values[size_t(r * matrix.shape[1] + c)]);
  return std::make_shared<Constant>(std::move(made));
}

Value Tracer::product() {
  auto given = [&](const char *name) -> Value {
    const Argument &argument = node->input(name);
    if (argument.names.size() != 1)
      fail(fmt::format("has no tensor '{}'", name));
    return valueOf(argument.names.at(0));
  };
  auto rank = [&](const char *name) {
    return shapeOf(node->input(name).names.at(0)).size();
  };
  if (node->real("alpha", 1) != 1 || node->real("beta", 1) != 1)
    fail("expected no factors alpha and beta");
  if (node->op == "linear") {
    Value bias, weight = given("weight");
    auto *known = std::get_if<ConstantPtr>(&weight);
    if (!known || rank("input") != 2 || rank("weight") != 2)
      fail("expected an input (1, features) and a constant weight");
    if (node->has("bias"))
      bias = given("bias");
    return multiply(given("input"), turned(**known),
                    node->has("bias") ? &bias : nullptr);
  }
  if (node->op == "addmm") {
    Value bias = given("self");
    return multiply(given("mat1"), given("mat2"), &bias);
  }
  const char *second = node->has("mat2")  ? "mat2"
                       : node->has("vec") ? "vec"
                                          : "other";
  if (rank("self") == 2 && rank(second) == 2)
    return multiply(given("self"), given(second), nullptr);
  Value vector = given(second), matrix = given("self");
  auto *known = std::get_if<ConstantPtr>(&matrix);
  if (rank("self") != 2 || rank(second) != 1 || !known)
    fail("expected a matrix times a constant matrix");
  Flow flow = plainFlow(vector);
  flow.shape = {1, count(flow.shape)};
  Flow made = std::get<Flow>(multiply(flow, turned(**known), nullptr));
  made.shape = result();
  return made;
}

/// The product of two values of each neuron, at most one of which is a matrix;
/// null where they are of something else.
const Body *Tracer::ofEachNeuron(const Value &a, const Value &b,
                                 const Shape &as, const Shape &bs) {
  const int64_t neurons = as[0], inside = as[2];
  const bool row = as[1] == 1, column = bs[2] == 1;
  for (const Value *one : {&a, &b})
    if (auto *body = std::get_if<const Body *>(one))
      if ((*body)->axis != 0 || (*body)->axes != 1 ||
          (*body)->neurons() != neurons)
        return nullptr;
  if (neurons == 1 || (!row && !column && inside > 1))
    return nullptr;
  Frame left{as, 0, 1, homeOf({a, b}, neurons)};
  const std::string x = operand(a, left, true);
  Frame right{bs, 0, 1, left.home->root()};
  const std::string y = operand(b, right, true);
  Frame frame{result(), 0, 1, right.home->root()};
  if (!row && !column) {
    std::string zero = literal(frame.home, 0, {as[1], bs[2]});
    return emit(fmt::format("outer_add {}, {}, {}", zero, x, y), frame);
  }
  const char *word = inside == 1     ? "mul"
                     : row && column ? "dot"
                     : column        ? "matvec"
                                     : "vecmat";
  return emit(fmt::format("{} {}, {}", word, x, y), frame);
}

Value Tracer::batchProduct() {
  const Value a = valueOf(node->input("self").names.at(0)),
              b = valueOf(node->input("mat2").names.at(0));
  auto *left = std::get_if<ConstantPtr>(&a),
       *right = std::get_if<ConstantPtr>(&b);
  const Shape &as = shapeOf(node->input("self").names.at(0)),
              &bs = shapeOf(node->input("mat2").names.at(0));
  if (as.size() != 3 || bs.size() != 3 || as[0] != bs[0] || as[2] != bs[1])
    fail("the shapes do not fit each other");
  if (!left && !right) {
    if (const Body *made = ofEachNeuron(a, b, as, bs))
      return made;
    fail("multiplies two values that both change, expected a constant matrix "
         "for each neuron, or a vector of it");
  }
  const int64_t batch = as[0], rows = as[1], inside = as[2], columns = bs[2];
  if (auto *body = std::get_if<const Body *>(right ? &a : &b))
    if ((*body)->axis == 0 && (*body)->axes == 1 &&
        batch == (*body)->neurons() && inside > 1 &&
        (right ? rows : columns) == 1) {
      // A matrix of each neuron times its vector.
      const Constant &m = right ? **right : **left;
      const int64_t out = right ? columns : rows;
      Constant own{{batch, out, inside}, {}, m.name};
      for (int64_t n = 0; n < batch; ++n)
        for (int64_t o = 0; o < out; ++o)
          for (int64_t k = 0; k < inside; ++k)
            own.values.push_back(
                m.values[size_t(right ? (n * inside + k) * out + o
                                      : (n * out + o) * inside + k)]);
      if (out == 1)
        own.shape = {batch, inside};
      Frame frame{result(), 0, 1, homeOf({Value(*body)}, batch)};
      Frame from = frame, whole = frame;
      from.shape = (*body)->shape;
      std::string x = operand(*body, from, true);
      whole.home = frame.home = from.home->root();
      whole.shape = own.shape;
      std::string text = operandOf(own, whole, true);
      return emit(
          fmt::format("{} {}, {}", out == 1 ? "dot" : "matvec", text, x),
          frame);
    }
  const Flow flow = plainFlow(right ? a : b);
  const Constant &m = right ? **right : **left;
  if (dendrolith::product(Shape{batch, rows, inside, columns}) >
      uint64_t(kMaxEntries))
    fail("has more than 2^26 weights");
  Flow sums{result(), {}, node->module};
  for (int64_t n = 0; n < batch; ++n)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c) {
        Adder adder;
        for (int64_t k = 0; k < inside; ++k) {
          const size_t first = size_t((n * rows + r) * inside + k),
                       second = size_t((n * inside + k) * columns + c);
          adder.add(flow.rows[right ? first : second],
                    m.values[right ? second : first]);
        }
        sums.rows.push_back(adder.done());
      }
  return sums;
}

} // namespace dendrolith::torch
