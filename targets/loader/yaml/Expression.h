// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in files: of a study's axes, of a convention's counts.
//
//   any     = all ("or" all)*
//   all     = not ("and" not)*
//   not     = "not" not | compare
//   compare = sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?
//   sum     = product (("+" | "-") product)*
//   product = factor (("*" | "/" | "%") factor)*
//   factor  = number | name | text | "-" factor | "(" any ")"
//           | function "(" sum ("," sum)* ")"
//
// A name whose values are all numbers is a number, another one is a text, which
// is equal to a text or is not. &&, || and ! are other words for and, or, not.

#ifndef DENDROLITH_TARGETS_LOADER_YAML_EXPRESSION_H
#define DENDROLITH_TARGETS_LOADER_YAML_EXPRESSION_H

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::yaml {

/// Where in a file a text stands, so that errors point into it.
struct TextPlace {
  std::string file;
  int line = 1, column = 1;
};

/// Names that an expression may use, with all values they have; a name without
/// values is a number.
using Vocabulary =
    std::vector<std::pair<std::string, std::vector<std::string>>>;

/// The words of an expression, and what one of the names is called in messages.
struct Words {
  Vocabulary names;
  std::vector<std::string> functions;
  std::string noun = "axis";
};

enum class TermType { Truth, Number, Text };

/// A leaf has no operator: it is a number, a name or a text.
struct Term {
  std::string op, name, text;
  TermType type = TermType::Number;
  double number = 0;
  size_t at = 0;     // in the expression
  bool word = false; // a text without quotes
  bool call = false; // of the function `op`
  std::vector<std::unique_ptr<Term>> parts;
};

/// The number that a whole text is, if it is one.
std::optional<double> numberIn(const std::string &text);

/// Parses a comparison, or an arithmetic expression. Throws Error at its place:
/// unknown names, numbers beside texts, words that are no expression.
std::unique_ptr<Term> parseTruth(const std::string &text, const Words &words,
                                 const TextPlace &place);
std::unique_ptr<Term> parseNumber(const std::string &text, const Words &words,
                                  const TextPlace &place);

/// What the names and functions of an expression mean.
class Meaning {
public:
  virtual ~Meaning() = default;
  virtual double number(const std::string &name) const = 0;
  virtual std::string text(const std::string &name) const = 0;
  virtual double call(const std::string &function,
                      const std::vector<double> &of) const = 0;
};

/// Throw Error where a number is divided by zero.
double numberOf(const Term &term, const Meaning &meaning);
bool truthOf(const Term &term, const Meaning &meaning);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_YAML_EXPRESSION_H
