// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/agreement/RandomBody.h"

#include <algorithm>

namespace dendrolith::test {

int BodyType::elements() const {
  int n = 1;
  for (int extent : shape)
    n *= extent;
  return n;
}

std::string BodyType::element() const {
  return kind == Bool  ? "i1"
         : kind == Int ? "i32"
                       : "!dend.fx<" + std::to_string(width) + ", " +
                             std::to_string(exponent) + ">";
}

std::string BodyType::text() const {
  if (shape.empty())
    return element();
  std::string text = "tensor<";
  for (int extent : shape)
    text += std::to_string(extent) + "x";
  return text + element() + ">";
}

BodyValue BodyWriter::fresh(const BodyType &type) {
  return {"%g" + std::to_string(next++), type};
}

BodyValue BodyWriter::define(const std::string &op, const BodyType &type,
                             const std::string &operands,
                             const std::vector<BodyType> &operandTypes,
                             const std::string &after) {
  BodyValue value = fresh(type);
  std::string types;
  for (const BodyType &operand : operandTypes)
    types += (types.empty() ? "" : ", ") + operand.text();
  text += indent + value.name + " = dend." + op + " " + operands + after +
          " : (" + types + ") -> " + type.text() + "\n";
  ++kinds[op.substr(0, op.find(' '))];
  pool.push_back(value);
  return value;
}

std::string BodyWriter::literal(const BodyType &type, bool positive) {
  auto number = [&]() -> std::string {
    if (type.kind == BodyType::Bool)
      return below(2) ? "true" : "false";
    int bits = std::min(type.width - 1, 20);
    int64_t span = int64_t(1) << std::max(bits, 0);
    int64_t x = int64_t(random() % uint32_t(2 * span)) - span;
    if (positive)
      x = std::max<int64_t>(1, x < 0 ? -x - 1 : x);
    return std::to_string(x);
  };
  BodyValue value = fresh(type);
  std::string storage = type.kind == BodyType::Bool  ? "i1"
                        : type.kind == BodyType::Int ? "i32"
                                                     : "i64";
  std::string given;
  if (type.shape.empty()) {
    given = number();
    if (type.kind != BodyType::Bool)
      given += " : " + storage;
  } else {
    BodyType plain = type;
    std::string all;
    int columns = type.shape.back(), count = type.elements();
    for (int i = 0; i < count; ++i) {
      bool starts = type.shape.size() == 2 && i % columns == 0;
      bool ends = type.shape.size() == 2 && i % columns == columns - 1;
      all += (i ? ", " : "") + std::string(starts ? "[" : "") + number() +
             (ends ? "]" : "");
    }
    std::string dims;
    for (int extent : type.shape)
      dims += std::to_string(extent) + "x";
    given = "dense<[" + all + "]> : tensor<" + dims + storage + ">";
  }
  text += indent + value.name + " = dend.literal " + given + " as " +
          type.text() + "\n";
  ++kinds["literal"];
  pool.push_back(value);
  return value.name;
}

BodyType BodyWriter::randomFixed(std::vector<int> shape) {
  static const int widths[] = {2, 5, 8, 12, 16, 20, 24, 31, 32};
  return {BodyType::Fixed, widths[below(9)], below(9) - 6, std::move(shape)};
}

std::string BodyWriter::rounding() {
  static const char *const names[] = {"floor", "toward_zero", "nearest_even",
                                      "nearest_up"};
  return names[below(4)];
}

BodyValue BodyWriter::anyFixed(int rank) {
  std::vector<BodyValue> fits;
  for (const BodyValue &value : pool)
    if (value.type.kind == BodyType::Fixed &&
        (rank < 0 || int(value.type.shape.size()) == rank))
      fits.push_back(value);
  if (!fits.empty() && below(8))
    return fits[size_t(below(int(fits.size())))];
  std::vector<int> shape;
  for (int r = rank < 0 ? below(2) : rank; r > 0; --r)
    shape.push_back(2 + below(3));
  BodyType type = randomFixed(shape);
  return {literal(type), type};
}

BodyValue BodyWriter::anyNumber() {
  if (below(6))
    return anyFixed();
  std::vector<BodyValue> ints;
  for (const BodyValue &value : pool)
    if (value.type.kind == BodyType::Int)
      ints.push_back(value);
  if (!ints.empty())
    return ints[size_t(below(int(ints.size())))];
  BodyType type = integer({});
  return {literal(type), type};
}

/// Takes what there is, or rescales or repeats something, or a literal.
std::string BodyWriter::valueOf(const BodyType &type) {
  std::vector<std::string> same;
  std::vector<BodyValue> shaped;
  for (const BodyValue &value : pool) {
    if (value.type == type)
      same.push_back(value.name);
    if (value.type.kind == BodyType::Fixed && value.type.shape == type.shape)
      shaped.push_back(value);
  }
  if (!same.empty() && below(6))
    return same[size_t(below(int(same.size())))];
  if (type.kind == BodyType::Fixed && !shaped.empty() && below(4)) {
    BodyValue from = shaped[size_t(below(int(shaped.size())))];
    return define("rescale", type, from.name, {from.type},
                  " round " + rounding() + " overflow " +
                      (below(2) ? "wrap" : "saturate"))
        .name;
  }
  if (!type.shape.empty() && below(4) == 0) {
    BodyType scalar = withShape(type, {});
    std::string from = valueOf(scalar);
    return define("splat", type, from, {scalar}).name;
  }
  return literal(type);
}

std::vector<BodyValue> BodyWriter::region(const std::string &condition,
                                          const std::vector<BodyValue> &kept,
                                          int depth) {
  BodyWriter inner(random, pool);
  inner.indent = indent + "  ";
  inner.next = next + 100000 * (depth + 1);
  for (int i = 1 + below(4); i > 0; --i)
    inner.addOp(depth + 1);
  std::string names, types, given, results;
  std::vector<BodyValue> made;
  for (const BodyValue &value : kept) {
    const char *comma = names.empty() ? "" : ", ";
    names += comma + value.name;
    types += comma + value.type.text();
    given += comma + inner.valueOf(value.type);
    made.push_back(fresh(value.type));
    results += comma + made.back().name;
  }
  pool.insert(pool.end(), made.begin(), made.end());
  text += indent + results + " = dend.when " + condition + " keep(" + names +
          " : " + types + ") -> (" + types + ") {\n" + inner.text + indent +
          "  dend.give " + given + " : " + types + "\n" + indent + "}\n";
  for (auto [kind, count] : inner.kinds)
    kinds[kind] += count;
  next += 1000000 * (depth + 1);
  return made;
}

/// A region that is skipped unless a condition holds.
void BodyWriter::when(int depth) {
  std::string condition = valueOf(boolean({}));
  std::vector<BodyValue> kept;
  for (int i = 1 + below(2); i > 0; --i)
    kept.push_back(anyFixed(below(3)));
  region(condition, kept, depth);
  ++kinds["when"];
}

std::string BodyWriter::zero(const BodyType &type) {
  BodyValue value = fresh(type);
  std::string dims;
  for (int extent : type.shape)
    dims += std::to_string(extent) + "x";
  std::string storage = type.kind == BodyType::Int ? "i32" : "i64";
  text += indent + value.name + " = dend.literal " +
          (dims.empty() ? "0 : " + storage
                        : "dense<0> : tensor<" + dims + storage + ">") +
          " as " + type.text() + "\n";
  return value.name;
}

std::string BodyWriter::branch(const std::string &condition,
                               const BodyValue &state) {
  BodyType type = randomFixed({});
  std::string none = zero(type);
  ++kinds["branch"];
  return region(condition, {state, {none, type}}, 0).front().name;
}

void BodyWriter::addOp(int depth) {
  switch (below(depth < 2 ? 8 : 7)) {
  case 0:
  case 1:
    return elementwise();
  case 2:
    return scaling();
  case 3:
    return products();
  case 4:
    return moves();
  case 5:
    return choices();
  case 6:
    return structure();
  default:
    return when(depth);
  }
}

} // namespace dendrolith::test
