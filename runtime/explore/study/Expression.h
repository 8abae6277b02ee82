// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expression behind `where`, of a study's axes.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STUDY_EXPRESSION_H
#define DENDROLITH_RUNTIME_EXPLORE_STUDY_EXPRESSION_H

#include "runtime/explore/study/Study.h"
#include "targets/loader/yaml/Expression.h"

#include <memory>
#include <string>

namespace dendrolith::explore {

using yaml::TextPlace;
using yaml::Vocabulary;

/// `model`, `target` and the axes.
Vocabulary vocabularyOf(const Study &study);

class Expression {
public:
  /// "" holds for all designs. Throws Error at its place: unknown names,
  /// numbers beside texts, words that are no expression.
  Expression(const std::string &text, const Vocabulary &names,
             const TextPlace &place);

  /// Throws Error where a number is divided by zero.
  bool holds(const Design &design) const;

private:
  std::unique_ptr<yaml::Term> root;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STUDY_EXPRESSION_H
