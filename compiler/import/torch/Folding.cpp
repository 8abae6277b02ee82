// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Folding.h"

#include "compiler/import/torch/Layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace dendrolith::torch {
namespace {

using One = double (*)(double);
using Two = double (*)(double, double);

const std::map<std::string, One> &unary() {
  static const std::map<std::string, One> all = {
      {"neg", [](double x) { return -x; }},
      {"abs", [](double x) { return std::fabs(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"log1p", [](double x) { return std::log1p(x); }},
      {"expm1", [](double x) { return std::expm1(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"reciprocal", [](double x) { return 1 / x; }},
      {"relu", [](double x) { return std::max(x, 0.0); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"sign", [](double x) { return double((x > 0) - (x < 0)); }},
      {"ceil", [](double x) { return std::ceil(x); }},
      {"trunc", [](double x) { return std::trunc(x); }},
      {"floor", [](double x) { return std::floor(x); }},
      {"round", [](double x) { return std::nearbyint(x); }},
      {"logical_not", [](double x) { return double(x == 0); }},
      {"bitwise_not", [](double x) { return double(x == 0); }},
      {"softplus", [](double x) { return std::log1p(std::exp(x)); }}};
  return all;
}

const std::map<std::string, Two> &binary() {
  static const std::map<std::string, Two> all = {
      {"add", [](double a, double b) { return a + b; }},
      {"sub", [](double a, double b) { return a - b; }},
      {"rsub", [](double a, double b) { return b - a; }},
      {"mul", [](double a, double b) { return a * b; }},
      {"div", [](double a, double b) { return a / b; }},
      {"pow", [](double a, double b) { return std::pow(a, b); }},
      {"fmod", [](double a, double b) { return std::fmod(a, b); }},
      {"remainder",
       [](double a, double b) { return a - b * std::floor(a / b); }},
      {"minimum", [](double a, double b) { return std::min(a, b); }},
      {"maximum", [](double a, double b) { return std::max(a, b); }},
      {"gt", [](double a, double b) { return double(a > b); }},
      {"ge", [](double a, double b) { return double(a >= b); }},
      {"lt", [](double a, double b) { return double(a < b); }},
      {"le", [](double a, double b) { return double(a <= b); }},
      {"eq", [](double a, double b) { return double(a == b); }},
      {"ne", [](double a, double b) { return double(a != b); }},
      {"logical_and", [](double a, double b) { return double(a && b); }},
      {"logical_or", [](double a, double b) { return double(a || b); }}};
  return all;
}

/// The elements of an operand where the result has them.
std::optional<std::vector<double>> spread(const Constant &one,
                                          const Shape &result) {
  if (broadcast(one.shape, result) != result)
    return std::nullopt;
  return gathered(one.values, broadcastMap(one.shape, result));
}

} // namespace

std::optional<Constant> foldElements(const Node &node,
                                     const std::vector<Constant> &operands,
                                     const Shape &result) {
  std::vector<std::vector<double>> parts;
  for (const Constant &one : operands) {
    auto part = spread(one, result);
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  const size_t size = size_t(count(result));
  auto one = unary().find(node.op);
  auto two = binary().find(node.op);
  Constant made{result, std::vector<double>(size)};
  const double alpha = node.real("alpha", 1);
  for (size_t i = 0; i < size; ++i)
    if (one != unary().end() && parts.size() == 1)
      made.values[i] = one->second(parts[0][i]);
    else if (two != binary().end() && parts.size() == 2)
      made.values[i] = node.op == "rsub"
                           ? parts[1][i] - alpha * parts[0][i]
                           : two->second(parts[0][i], alpha * parts[1][i]);
    else if (node.op == "where" && parts.size() == 3)
      made.values[i] = parts[0][i] ? parts[1][i] : parts[2][i];
    else if (node.op == "clamp" && parts.size() == 1)
      made.values[i] = std::min(
          std::max(parts[0][i],
                   node.real("min", -std::numeric_limits<double>::infinity())),
          node.real("max", std::numeric_limits<double>::infinity()));
    else
      return std::nullopt;
  return made;
}

std::optional<Constant> madeConstant(const Node &node, const Shape &result) {
  const std::string &op = node.op;
  auto begins = [&](const char *word) { return op.rfind(word, 0) == 0; };
  auto filled = [&](double value) {
    return Constant{result, std::vector<double>(size_t(count(result)), value)};
  };
  if (op == "full" || op == "full_like" || op == "new_full" ||
      op == "scalar_tensor" || op == "fill")
    return filled(node.has("fill_value") ? node.real("fill_value", 0)
                  : node.has("s")        ? node.real("s", 0)
                                         : node.real("value", 0));
  if (begins("zeros") || op == "new_zeros")
    return filled(0);
  if (begins("ones") || op == "new_ones")
    return filled(1);
  if (op != "arange")
    return std::nullopt;
  Constant made = filled(0);
  for (size_t i = 0; i < made.values.size(); ++i)
    made.values[i] = node.real("start", 0) + double(i) * node.real("step", 1);
  return made;
}

Shape reducedAxes(const Node &node, size_t rank) {
  Shape axes;
  for (int64_t dim : node.integers("dim"))
    if (auto axis = axisOf(dim, rank))
      axes.push_back(int64_t(*axis));
  if (axes.empty())
    for (size_t i = 0; i < rank; ++i)
      axes.push_back(int64_t(i));
  return axes;
}

Gather reductionMap(const Shape &from, const Shape &axes) {
  Shape kept = from;
  for (int64_t axis : axes)
    kept[size_t(axis)] = 1;
  Shape strides = stridesOf(kept), index(from.size(), 0);
  Gather map(size_t(count(from)), 0);
  for (int64_t &at : map) {
    for (size_t i = 0; i < from.size(); ++i)
      at += kept[i] == 1 ? 0 : index[i] * strides[i];
    advance(index, from);
  }
  return map;
}

std::optional<Constant> foldReduction(const Node &node, const Constant &operand,
                                      const Shape &result) {
  const bool largest = node.op == "amax" || node.op == "max";
  if (!largest && node.op != "sum" && node.op != "mean")
    return std::nullopt;
  Gather map =
      reductionMap(operand.shape, reducedAxes(node, operand.shape.size()));
  const size_t size = size_t(count(result));
  Constant made{result, std::vector<double>(size, largest ? -INFINITY : 0.0)};
  for (size_t i = 0; i < map.size(); ++i) {
    if (size_t(map[i]) >= size)
      return std::nullopt;
    double &at = made.values[size_t(map[i])];
    at = largest ? std::max(at, operand.values[i]) : at + operand.values[i];
  }
  if (node.op == "mean")
    for (double &value : made.values)
      value *= double(size) / double(operand.values.size());
  return made;
}

} // namespace dendrolith::torch
