// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a body has no operation for, written in those that it has.

#include "compiler/import/torch/Tracer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dendrolith::torch {

/// The largest whole number that is not above x, of each element of a vector.
std::string Tracer::floorOf(Population *home, const std::string &x,
                            const Shape &inner) {
  if (inner.size() > 1)
    fail("rounds a matrix of each neuron, expected a number or a vector");
  const std::string zero = literal(home, 0, {}), one = literal(home, 1, {});
  auto whole = [&](const std::string &of) {
    return line(home,
                "to_real " +
                    line(home, fmt::format("ssf {} shift {} scale {} vth 1.0 u "
                                           "1073741824.0",
                                           of, zero, one)));
  };
  if (inner.empty())
    return whole(x);
  std::vector<std::string> all;
  for (int64_t i = 0; i < inner[0]; ++i)
    all.push_back(whole(line(home, fmt::format("element {}[{}]", x, i))));
  return line(home, fmt::format("concat {}", fmt::join(all, ", ")));
}

/// floor, ceil, trunc, or round, which takes the even number of two that are as
/// near.
const Body *Tracer::rounded(const std::string &way, const std::string &x,
                            const Frame &frame) {
  Population *home = frame.home;
  const Shape inner = squeezed(frame.inner());
  auto two = [&](const char *word, const std::string &a, const std::string &b) {
    return line(home, fmt::format("{} {}, {}", word, a, b));
  };
  auto named = [&](const std::string &text) {
    return add({text, frame.shape, frame.axis, frame.axes, frame.home->root()});
  };
  if (way == "floor")
    return named(floorOf(home, x, inner));
  const std::string zero = literal(home, 0, {});
  if (way == "ceil" || way == "trunc") {
    std::string up =
        line(home, "neg " + floorOf(home, line(home, "neg " + x), inner));
    if (way == "ceil")
      return named(up);
    std::string down = floorOf(home, x, inner), below = two("cmp lt", x, zero);
    return named(line(home, fmt::format("select {}, {}, {}", below, up, down)));
  }
  if (way != "round")
    fail("rounds in a way that is not known, expected floor or trunc");
  const std::string half = literal(home, 0.5, {});
  std::string over = two("add", x, half), near = floorOf(home, over, inner);
  std::string pairs = floorOf(home, two("mul", near, half), inner);
  std::string odd = two("sub", near, two("add", pairs, pairs));
  std::string tie = two("cmp eq", over, near);
  return named(
      two("sub", near,
          line(home, fmt::format("select {}, {}, {}", tie, odd, zero))));
}

/// erf(x) as tanh(x p(x^2)) with x within 4 of zero, off by at most 5.8e-8: p
/// was fitted to atanh(erf(x)) / x. gelu has it in it, unless it is told to be
/// the form with tanh.
const Body *Tracer::errorFunction(const std::string &x, const Frame &frame) {
  constexpr double kSeries[] = {
      1.1283797055467546,     0.10276548067727981,   -0.00018438179305018862,
      -0.0006257212681900549, 8.971321559488801e-05, -5.9857846844081685e-06,
      1.5896451740342336e-07};
  constexpr double kRootOfHalf = 0.7071067811865476, kBound = 4;
  Population *home = frame.home;
  auto number = [&](double value) { return literal(home, value, {}); };
  auto two = [&](const char *word, const std::string &a, const std::string &b) {
    return line(home, fmt::format("{} {}, {}", word, a, b));
  };
  const bool gelu = node->op == "gelu";
  const bool bent = gelu && node->input("approximate").text == "tanh";
  std::string bend;
  if (bent) {
    std::string cube = two("mul", two("mul", x, x), x);
    bend = two("mul", number(0.7978845608028654),
               two("add", x, two("mul", number(0.044715), cube)));
  } else {
    std::string at = gelu ? two("mul", x, number(kRootOfHalf)) : x;
    at = two("max", two("min", at, number(kBound)), number(-kBound));
    std::string square = two("mul", at, at);
    std::string sum = number(kSeries[6]);
    for (int i = 5; i >= 0; --i)
      sum = two("add", two("mul", sum, square), number(kSeries[i]));
    bend = two("mul", at, sum);
  }
  if (!gelu)
    return emit("math tanh " + bend, frame);
  std::string up = two("add", number(1), line(home, "math tanh " + bend));
  return emit(fmt::format("mul {}, {}", two("mul", number(0.5), x), up), frame);
}

/// log1p, expm1 and elu. log1p of exp(x) is softplus(x), as which an export
/// writes softplus; only that has an integer form.
const Body *Tracer::exponential(const std::string &x, const Frame &frame) {
  Population *home = frame.home->root();
  auto number = [&](const char *name) {
    return literal(home, node->real(name, 1), {});
  };
  auto two = [&](const char *word, const std::string &a, const std::string &b) {
    return line(home, fmt::format("{} {}, {}", word, a, b));
  };
  const std::string one = literal(home, 1, {}), exp = "dend.math exp ";
  if (node->op == "log1p") {
    for (const Line &made : home->lines)
      if (made.result == x && made.text.rfind(exp, 0) == 0)
        return emit("math softplus " + made.text.substr(exp.size()), frame);
    return emit("math log " + two("add", x, one), frame);
  }
  if (node->op == "expm1")
    return emit(fmt::format("sub {}, {}", line(home, "math exp " + x), one),
                frame);
  std::string scaled = two("mul", x, number("input_scale")),
              less = two("sub", line(home, "math exp " + scaled), one),
              down = two("mul", less, number("alpha")),
              is = two("cmp gt", x, literal(home, 0, {}));
  std::string chosen =
      line(home, fmt::format("select {}, {}, {}", is, x, down));
  return emit(fmt::format("mul {}, {}", chosen, number("scale")), frame);
}

/// Largest, least, their places, product or variance of a neuron's elements.
const Body *Tracer::overElements(const Body &all, const Frame &frame) {
  Population *home = frame.home->root();
  const Shape inner = squeezed(all.inner());
  const std::string &op = node->op;
  const int64_t elements = count(inner);
  auto one = [&](const char *word, const std::string &x) {
    return line(home, word + x);
  };
  auto two = [&](const char *word, const std::string &x, const std::string &y) {
    return line(home, fmt::format("{} {}, {}", word, x, y));
  };
  const bool single = inner.empty(), vector = inner.size() == 1;
  auto most = [&](const std::string &x) {
    return single ? x : one("reduce max ", x);
  };
  auto made = [&](const std::string &text, bool truth = false) {
    Body body{text, frame.shape, frame.axis, frame.axes, home};
    body.truth = truth;
    return add(std::move(body));
  };
  std::string x = real(all, home);
  if (op == "any" || op == "all") {
    const bool any = op == "any";
    if (!all.truth)
      x = one("abs ", x);
    x = any ? most(x) : one("neg ", most(one("neg ", x)));
    return made(two("cmp ne", x, literal(home, 0, {})), true);
  }
  if (op == "prod") {
    if (!single && !vector)
      fail("expected the product of a vector's elements");
    std::string product = single ? x : one("element ", x + "[0]");
    for (int64_t i = 1; i < elements; ++i)
      product =
          two("mul", product, one("element ", fmt::format("{}[{}]", x, i)));
    return made(product);
  }
  if (op == "var") {
    const double left = double(elements) - node->real("correction", 1);
    if (!(left > 0))
      fail("has no element left to divide by");
    auto sum = [&](const std::string &of) {
      return single ? of : one("reduce sum ", of);
    };
    std::string mean =
        two("mul", sum(x), literal(home, 1 / double(elements), {}));
    std::string off = two("sub", x, mean);
    return made(
        two("mul", sum(two("mul", off, off)), literal(home, 1 / left, {})));
  }
  const bool least = op == "amin" || op == "min" || op == "argmin";
  if (least)
    x = one("neg ", x);
  const std::string extreme = most(x);
  auto place = [&]() { // the first of several
    if (single)
      return made(literal(home, 0, {}));
    if (!vector)
      fail("expected a vector, along whose elements a place is");
    std::string is = two("cmp eq", x, extreme);
    std::string none = literal(home, -double(elements), inner);
    std::string at = line(home, fmt::format("select {}, {}, {}", is,
                                            places(home, elements, -1), none));
    return made(one("neg ", one("reduce max ", at)));
  };
  if (op == "argmax" || op == "argmin")
    return place();
  if (node->outputs.size() > 1 && isRead(node->outputs[1]))
    values[node->outputs[1]] = place();
  return made(least ? one("neg ", extreme) : extreme);
}

} // namespace dendrolith::torch
