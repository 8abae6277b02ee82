// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Expression.h"

#include "runtime/explore/study/ParseExpression.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cmath>
#include <fmt/format.h>

namespace dendrolith::explore {
namespace {

using Term = Expression::Term;

const std::string &valueIn(const Design &design, const std::string &name) {
  if (name == "model")
    return design.model;
  if (name == "target")
    return design.target;
  for (const auto &[axis, value] : design.values)
    if (axis == name)
      return value;
  throw Error("a design has no value for '" + name + "'");
}

const std::string &textIn(const Term &node, const Design &design) {
  return node.name.empty() ? node.text : valueIn(design, node.name);
}

double evaluate(const Term &node, const Design &design) {
  if (node.parts.empty()) {
    if (node.name.empty())
      return node.number;
    const std::string &value = valueIn(design, node.name);
    if (const auto number = numberIn(value))
      return *number;
    throw Error(fmt::format("'{}' is '{}', expected a number", node.name,
                            printable(value)));
  }
  const double a = evaluate(*node.parts[0], design);
  if (node.parts.size() == 1)
    return -a;
  const double b = evaluate(*node.parts[1], design);
  switch (node.op[0]) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  }
  if (b == 0)
    throw Error("'where' divides by zero for a design");
  return node.op == "/" ? a / b : std::fmod(a, b);
}

bool truthIn(const Term &node, const Design &design) {
  if (node.op == "not")
    return !truthIn(*node.parts[0], design);
  const Term &left = *node.parts[0], &right = *node.parts[1];
  if (node.op == "and")
    return truthIn(left, design) && truthIn(right, design);
  if (node.op == "or")
    return truthIn(left, design) || truthIn(right, design);
  if (left.type == Type::Text)
    return (textIn(left, design) == textIn(right, design)) == (node.op == "==");
  const double a = evaluate(left, design), b = evaluate(right, design);
  if (node.op == "==")
    return a == b;
  if (node.op == "!=")
    return a != b;
  if (node.op == "<")
    return a < b;
  if (node.op == "<=")
    return a <= b;
  return node.op == ">" ? a > b : a >= b;
}

} // namespace

Vocabulary vocabularyOf(const Study &study) {
  Vocabulary names = {{"model", {}}, {"target", study.targets}};
  for (const StudyModel &model : study.models)
    names[0].second.push_back(model.name);
  for (const Axis &axis : study.axes)
    names.emplace_back(axis.name, axis.values);
  return names;
}

Expression::Expression(const std::string &text, const Vocabulary &names,
                       const TextPlace &place) {
  if (!text.empty())
    root = parseExpression(text, names, place);
}
Expression::~Expression() = default;
Expression::Expression(Expression &&) noexcept = default;

bool Expression::holds(const Design &design) const {
  return !root || truthIn(*root, design);
}

} // namespace dendrolith::explore
