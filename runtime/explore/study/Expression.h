// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expression behind `where`: comparisons of axes, joined by and, or, not.
//
//   any     = all ("or" all)*
//   all     = not ("and" not)*
//   not     = "not" not | compare
//   compare = sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?
//   sum     = product (("+" | "-") product)*
//   product = factor (("*" | "/" | "%") factor)*
//   factor  = number | axis | text | "-" factor | "(" any ")"
//
// An axis whose values are all numbers is a number, another one is a text,
// which is equal to a text or is not. &&, || and ! are other words for and, or,
// not.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_EXPRESSION_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_EXPRESSION_H

#include "runtime/explore/study/Study.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::explore {

/// Where in a file a text stands, so that errors point into it.
struct TextPlace {
  std::string file;
  int line = 1, column = 1;
};

/// Names that an expression may use, with all values they have.
using Vocabulary =
    std::vector<std::pair<std::string, std::vector<std::string>>>;

/// `model`, `target` and the axes.
Vocabulary vocabularyOf(const Study &study);

class Expression {
public:
  /// "" holds for all designs. Throws Error at its place: unknown names,
  /// numbers beside texts, words that are no expression.
  Expression(const std::string &text, const Vocabulary &names,
             const TextPlace &place);
  ~Expression();
  Expression(Expression &&) noexcept;

  /// Throws Error where a number is divided by zero.
  bool holds(const Design &design) const;

  struct Term;

private:
  std::unique_ptr<Term> root;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_EXPRESSION_H
