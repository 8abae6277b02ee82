// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of each element, as operations of a neuron's body.

#include "compiler/import/torch/Tracer.h"

#include "compiler/import/torch/Layout.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dendrolith::torch {
namespace {

const std::map<std::string, std::string> kBinary = {
    {"add", "add"}, {"sub", "sub"},     {"rsub", "sub"},   {"mul", "mul"},
    {"div", "div"}, {"minimum", "min"}, {"maximum", "max"}};
const std::set<std::string> kCompare = {"gt", "ge", "lt", "le", "eq", "ne"};
const std::set<std::string> kMath = {"exp",  "log",   "tanh",       "sigmoid",
                                     "sqrt", "rsqrt", "reciprocal", "softplus"};
const std::set<std::string> kLogic = {"logical_and", "bitwise_and",
                                      "logical_or",  "bitwise_or",
                                      "logical_xor", "bitwise_xor"};

const std::set<std::string> kUnary = {"erf",  "gelu", "log1p",     "expm1",
                                      "elu",  "neg",  "abs",       "isnan",
                                      "relu", "silu", "leaky_relu"};
const std::set<std::string> kRounding = {"floor", "ceil", "round", "trunc"};

const Body *bodyOf(const Value &value) {
  auto *found = std::get_if<const Body *>(&value);
  return found ? *found : nullptr;
}
/// Whether a value is a number that is the same everywhere.
bool isAll(const Value &value, double number) {
  auto *constant = std::get_if<ConstantPtr>(&value);
  return constant &&
         std::all_of((*constant)->values.begin(), (*constant)->values.end(),
                     [&](double one) { return one == number; });
}

constexpr const char *kKnown =
    "arithmetic, comparisons, where, clamp, relu, exp, log, tanh, sigmoid, "
    "sqrt, erf, gelu, softplus, elu, sign, remainder, round, floor, softmax, "
    "LayerNorm, sums, cumsum, products, variances, the largest and "
    "their places, linear maps, convolutions, pooling and moves of elements";

} // namespace

Value Tracer::elements() {
  const std::vector<Value> all = operands();
  const std::string &op = node->op;
  if (op == "bernoulli" || op.rfind("rand", 0) == 0 || op == "native_dropout" ||
      op == "normal" || op == "multinomial")
    fail("draws random numbers; a step has to give the same whenever it gets "
         "the same (call eval() before the export)");
  if (all.empty())
    fail(fmt::format("is not known, expected {}", kKnown));
  if (kCompare.count(op) && all.size() == 2)
    return compare(all);
  if (kLogic.count(op) && all.size() == 2)
    return logic(all);
  if (op == "heaviside" && all.size() == 2)
    return heaviside(all);
  if (op == "where" && all.size() == 3)
    return choose(all);
  if (auto word = kBinary.find(op); word != kBinary.end() && all.size() == 2)
    return binary(word->second, all);
  if (op == "logical_not" || op == "bitwise_not")
    return negation(all);
  if (op == "clamp" || op == "hardtanh" || op == "clamp_min" ||
      op == "clamp_max")
    return clamp(all);
  if (op == "pow")
    return power(all);
  if ((op == "remainder" || op == "fmod") && all.size() == 2)
    return remainder(all);
  if (op == "sign" || op == "sgn")
    return sign(all);
  if (op == "_to_copy" || op == "to" || op == "_to_copy_default")
    return copied(all);
  if (!kMath.count(op) && !kRounding.count(op) && !kUnary.count(op))
    fail(fmt::format("is not known, expected {}", kKnown));
  Frame frame = frameOf(all, result());
  const std::string x = operand(all[0], frame);
  if (kMath.count(op))
    return emit(fmt::format("math {} {}", op, x), frame);
  if (op == "erf" || op == "gelu")
    return errorFunction(x, frame);
  if (op == "log1p" || op == "expm1" || op == "elu")
    return exponential(x, frame);
  if (kRounding.count(op)) {
    if (node->integer("decimals", 0))
      fail("rounds to decimals; expected whole numbers");
    return rounded(op, x, frame);
  }
  if (op == "neg" || op == "abs")
    return emit(fmt::format("{} {}", op, x), frame);
  if (op == "isnan")
    return emit(fmt::format("cmp ne {}, {}", x, x), frame, true);
  if (op == "relu")
    return emit(fmt::format("max {}, {}", x, literal(frame.home, 0, {})),
                frame);
  if (op == "silu")
    return emit(
        fmt::format("mul {}, {}", x, line(frame.home, "math sigmoid " + x)),
        frame);
  std::string slope =
      literal(frame.home, node->real("negative_slope", 0.01), {});
  std::string down = line(frame.home, fmt::format("mul {}, {}", x, slope));
  std::string zero = literal(frame.home, 0, {});
  std::string is = line(frame.home, fmt::format("cmp gt {}, {}", x, zero));
  return emit(fmt::format("select {}, {}, {}", is, x, down), frame);
}

/// A spike times a value is that value or nothing.
Value Tracer::gated(const Body &truth, const Value &other,
                    const std::vector<Value> &all) {
  Frame frame = frameOf(all, result());
  std::string x = operand(other, frame, true);
  std::string is = condition(&truth, frame, false);
  std::string zero = literal(frame.home, 0, {});
  return emit(fmt::format("select {}, {}, {}", is, x, zero), frame);
}

Value Tracer::binary(const std::string &word, const std::vector<Value> &all) {
  const bool sum = word == "add" || word == "sub", times = word == "mul";
  // x + 0 and x * 1 are x; a spike stays a spike.
  if ((sum && isAll(all[1], 0)) ||
      ((times || word == "div") && isAll(all[1], 1)))
    if (auto *body = bodyOf(all[0]);
        body && body->shape == result() && node->op != "rsub")
      return all[0];
  if (((node->op == "add" && isAll(all[0], 0)) ||
       (times && isAll(all[0], 1))) &&
      node->real("alpha", 1) == 1)
    if (auto *body = bodyOf(all[1]); body && body->shape == result())
      return all[1];
  const double alpha = node->real("alpha", 1);
  auto *flow = std::get_if<Flow>(&all[0]);
  if (sum && node->op != "rsub" && !bodyOf(all[0]) && !bodyOf(all[1])) {
    if (flow)
      return added(*flow, all[1], word == "add" ? alpha : -alpha);
    if (word == "add" && alpha == 1)
      return added(std::get<Flow>(all[1]), all[0], 1);
  }
  const Body *a = bodyOf(all[0]), *b = bodyOf(all[1]);
  auto isBinary = [&](const Body *one) {
    return one && (one->truth || one->binary) && one->shape == result();
  };
  if (times && isBinary(a) && isBinary(b)) // is a spike as both are
    return logic(all);
  if (times && a && a->truth && !(b && b->truth) &&
      a->shape.size() == result().size())
    return gated(*a, all[1], all);
  if (times && b && b->truth && !(a && a->truth) &&
      b->shape.size() == result().size())
    return gated(*b, all[0], all);
  Frame frame = frameOf(all, result());
  std::vector<std::string> both = texts(all, frame);
  std::string x = both[0], y = both[1];
  if (node->op == "rsub")
    std::swap(x, y);
  if (alpha != 1)
    y = line(frame.home,
             fmt::format("mul {}, {}", y, literal(frame.home, alpha, {})));
  const Body *made = emit(fmt::format("{} {}, {}", word, x, y), frame);
  const bool turned = node->op == "rsub";
  if (word == "sub" && alpha == 1 && isAll(all[turned ? 1 : 0], 1) &&
      isBinary(turned ? a : b)) {
    Body silence = *made;
    silence.binary = true;
    return add(std::move(silence));
  }
  if (node->has("rounding_mode"))
    return rounded(node->input("rounding_mode").text, made->text, frame);
  return made;
}

Value Tracer::compare(const std::vector<Value> &all) {
  if (auto beside = besideCollected(all))
    return *beside;
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double bound : {infinite, -infinite})
    for (const size_t turn : {size_t(0), size_t(1)})
      if (isAll(all[turn], bound)) { // which no value reaches
        const std::string &op = node->op;
        const bool below = (bound > 0) == (turn == 1); // the other one is
        const bool is =
            op == "ne" || (op[0] == 'l' && below) || (op[0] == 'g' && !below);
        return std::make_shared<Constant>(Constant{
            result(), std::vector<double>(size_t(count(result())), is)});
      }
  Frame frame = frameOf(all, result());
  std::vector<std::string> both = texts(all, frame);
  return emit(fmt::format("cmp {} {}, {}", node->op, both[0], both[1]), frame,
              true);
}

/// A threshold at 0, where it is 0 or 1 itself.
Value Tracer::heaviside(const std::vector<Value> &all) {
  if (!isAll(all[1], 0) && !isAll(all[1], 1))
    fail("expected 0 or 1 as its value at 0");
  Frame frame = frameOf({all[0]}, result());
  const std::string x = operand(all[0], frame),
                    zero = literal(frame.home, 0, {});
  return emit(
      fmt::format("cmp {} {}, {}", isAll(all[1], 0) ? "gt" : "ge", x, zero),
      frame, true);
}

Value Tracer::choose(const std::vector<Value> &all) {
  for (const bool is : {false, true})
    if (auto *body = bodyOf(all[is ? 1 : 2]);
        body && isAll(all[0], is) && body->shape == result())
      return body;
  Frame frame = frameOf(all, result());
  std::string yes = operand(all[1], frame, true);
  std::string no = operand(all[2], frame, true);
  std::string is = condition(all[0], frame, false);
  return emit(fmt::format("select {}, {}, {}", is, yes, no), frame);
}

Value Tracer::logic(const std::vector<Value> &all) {
  Frame frame = frameOf(all, result());
  const bool whole = !squeezed(frame.inner()).empty();
  std::vector<std::string> both;
  for (const Value &one : all)
    both.push_back(condition(one, frame, whole));
  if (node->op.find("xor") != std::string::npos) {
    for (std::string &one : both)
      one = line(frame.home,
                 fmt::format("select {}, {}, {}", one,
                             literal(frame.home, 1, squeezed(frame.inner())),
                             literal(frame.home, 0, squeezed(frame.inner()))));
    return emit(fmt::format("cmp ne {}, {}", both[0], both[1]), frame, true);
  }
  const char *word = node->op.find("or") != std::string::npos ? "max" : "min";
  return emit(fmt::format("{} {}, {}", word, both[0], both[1]), frame, true);
}

Value Tracer::negation(const std::vector<Value> &all) {
  Frame frame = frameOf(all, result());
  std::string zero = literal(frame.home, 0, {});
  return emit(fmt::format("cmp eq {}, {}", operand(all[0], frame), zero), frame,
              true);
}

Value Tracer::clamp(const std::vector<Value> &all) {
  const std::string &op = node->op;
  const bool has = op == "hardtanh";
  Frame frame = frameOf({all[0]}, result());
  std::string x = operand(all[0], frame);
  const std::string low = has ? "min_val" : "min",
                    high = has ? "max_val" : "max";
  if (node->input(low).kind == Argument::Kind::Tensor ||
      node->input(high).kind == Argument::Kind::Tensor) {
    frame = frameOf(all, result());
    std::vector<std::string> texts = this->texts(all, frame);
    size_t next = 1;
    x = texts[0];
    if (node->has(low))
      x = line(frame.home, fmt::format("max {}, {}", x, texts.at(next++)));
    if (node->has(high))
      x = line(frame.home, fmt::format("min {}, {}", x, texts.at(next)));
    return add({x, frame.shape, frame.axis, frame.axes, frame.home->root()});
  }
  auto bound = [&](const char *word, const std::string &name, double standard) {
    if (!has && !node->has(name))
      return;
    std::string at = literal(frame.home, node->real(name, standard), {});
    x = line(frame.home, fmt::format("{} {}, {}", word, x, at));
  };
  bound("max", low, -1);
  bound("min", high, 1);
  return add({x, frame.shape, frame.axis, frame.axes, frame.home->root()});
}

/// What a quotient leaves, of the divisor's sign (remainder) or the dividend's.
Value Tracer::remainder(const std::vector<Value> &all) {
  Frame frame = frameOf(all, result());
  std::vector<std::string> both = texts(all, frame);
  const std::string quotient =
      line(frame.home, fmt::format("div {}, {}", both[0], both[1]));
  const Body *whole =
      rounded(node->op == "fmod" ? "trunc" : "floor", quotient, frame);
  const std::string multiple =
      line(frame.home, fmt::format("mul {}, {}", whole->text, both[1]));
  return emit(fmt::format("sub {}, {}", both[0], multiple), frame);
}

Value Tracer::sign(const std::vector<Value> &all) {
  Frame frame = frameOf(all, result());
  const std::string x = operand(all[0], frame);
  auto number = [&](double value) { return literal(frame.home, value, {}); };
  auto where = [&](const char *way, const std::string &yes,
                   const std::string &no) {
    std::string is =
        line(frame.home, fmt::format("cmp {} {}, {}", way, x, number(0)));
    return fmt::format("select {}, {}, {}", is, yes, no);
  };
  const Shape inner = squeezed(frame.inner());
  auto whole = [&](double value) { return literal(frame.home, value, inner); };
  std::string below = line(frame.home, where("lt", whole(-1), whole(0)));
  return emit(where("gt", whole(1), below), frame);
}

Value Tracer::power(const std::vector<Value> &all) {
  if (auto *base = std::get_if<ConstantPtr>(&all.front());
      base && all.size() == 2 && (*base)->values.at(0) > 0 &&
      isAll(all[0], (*base)->values[0])) {
    Frame frame = frameOf({all[1]}, result());
    const std::string rate =
        literal(frame.home, std::log((*base)->values[0]), {});
    return emit("math exp " +
                    line(frame.home, fmt::format("mul {}, {}",
                                                 operand(all[1], frame), rate)),
                frame);
  }
  auto *exponent = std::get_if<ConstantPtr>(&all.back());
  const double e = exponent ? (*exponent)->values.at(0) : 0;
  const bool root = std::fabs(e) == 0.5, whole = e == std::trunc(e) && e != 0;
  if (all.size() != 2 || !exponent || !isAll(all[1], e) ||
      !(root || (whole && std::fabs(e) <= 8)))
    fail("expected an exponent of 0.5, -0.5 or a whole number from 1 to 8, or "
         "its opposite");
  Frame frame = frameOf({all[0]}, result());
  const std::string x = operand(all[0], frame);
  if (root)
    return emit(fmt::format("math {} {}", e > 0 ? "sqrt" : "rsqrt", x), frame);
  std::string y = x;
  int left = int(std::fabs(e));
  if (left == 4) {
    y = line(frame.home, fmt::format("mul {}, {}", x, x));
    y = line(frame.home, fmt::format("mul {}, {}", y, y));
    left = 1;
  }
  for (; left > 1; --left)
    y = line(frame.home, fmt::format("mul {}, {}", y, x));
  if (e < 0)
    return emit("math reciprocal " + y, frame);
  return add({y, frame.shape, frame.axis, frame.axes, frame.home->root()});
}

/// Another type of the same numbers; an integer cuts the fraction off.
Value Tracer::copied(const std::vector<Value> &all) {
  constexpr int64_t kBool = 12;
  const int64_t type = node->integer("dtype", 8);
  const Body *body = bodyOf(all[0]);
  const bool real = type == 6 || type == 7 || type == 8 || type == 13;
  if (real || !node->has("dtype") || (body && body->truth))
    return all[0];
  Frame frame = frameOf(all, result());
  const std::string x = operand(all[0], frame);
  if (type != kBool)
    return rounded("trunc", x, frame);
  std::string zero = literal(frame.home, 0, {});
  return emit(fmt::format("cmp ne {}, {}", x, zero), frame, true);
}

} // namespace dendrolith::torch
