// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression as it was parsed.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_PARSEEXPRESSION_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_PARSEEXPRESSION_H

#include "runtime/explore/study/Expression.h"

#include <optional>

namespace dendrolith::explore {

enum class Type { Truth, Number, Text };

/// A leaf has no operator: it is a number, an axis or a text.
struct Expression::Term {
  std::string op, name, text;
  Type type = Type::Number;
  double number = 0;
  size_t at = 0;     // in the expression
  bool word = false; // a text without quotes
  std::vector<std::unique_ptr<Term>> parts;
};

/// The number that a whole text is, if it is one.
std::optional<double> numberIn(const std::string &text);

/// Throws Error as Expression does.
std::unique_ptr<Expression::Term> parseExpression(const std::string &text,
                                                  const Vocabulary &names,
                                                  const TextPlace &place);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_PARSEEXPRESSION_H
