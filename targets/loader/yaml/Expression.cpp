// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/yaml/Expression.h"

#include "targets/loader/yaml/Fields.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith::yaml {
namespace {

using NodePtr = std::unique_ptr<Term>;

// Far more than anybody writes, and far less than a stack holds.
constexpr unsigned kDepth = 200;
constexpr size_t kExpressionBytes = 8192;

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

class Parser {
public:
  Parser(const std::string &text, const Words &words, const TextPlace &place)
      : text(text), words(words), names(words.names), place(place) {}

  NodePtr expression(TermType type) {
    if (text.size() > kExpressionBytes)
      fail(0, fmt::format("expected at most {} characters, found {}",
                          kExpressionBytes, text.size()));
    NodePtr node = any();
    skip();
    if (cursor < text.size())
      fail(cursor,
           fmt::format("expected {} or the end, found '{}'",
                       type == TermType::Truth ? "and, or" : "an operator",
                       printable(text.substr(cursor))));
    expect(*node, type);
    return node;
  }

private:
  [[noreturn]] void fail(size_t where, const std::string &message) const {
    const size_t line = size_t(
        std::count(text.begin(), text.begin() + std::ptrdiff_t(where), '\n'));
    throw Error(fmt::format("{}:{}:{}: {}", place.file, place.line + int(line),
                            line ? 1 : place.column + int(where), message));
  }

  void skip() {
    while (cursor < text.size() &&
           std::isspace(static_cast<unsigned char>(text[cursor])))
      ++cursor;
  }

  /// Takes the first of the operators that stands here; "" where none does.
  std::string take(std::initializer_list<const char *> operators) {
    skip();
    for (const std::string each : operators) {
      if (text.compare(cursor, each.size(), each) != 0)
        continue;
      const size_t end = cursor + each.size();
      if (std::isalpha(static_cast<unsigned char>(each[0])) &&
          end < text.size() && isWordPart(text[end]))
        continue; // the beginning of a name
      cursor = end;
      return each;
    }
    return "";
  }

  NodePtr join(std::string op, size_t where, TermType type, NodePtr a,
               NodePtr b) {
    auto node = std::make_unique<Term>();
    node->op = std::move(op);
    node->at = where;
    node->type = type;
    node->parts.push_back(std::move(a));
    if (b)
      node->parts.push_back(std::move(b));
    return node;
  }

  void expect(const Term &node, TermType type) const {
    if (node.word)
      unknown(node);
    if (node.type == type)
      return;
    const std::string what = node.name.empty() ? "this" : "'" + node.name + "'";
    if (type == TermType::Truth)
      fail(node.at, what + " is no comparison, expected one such as "
                           "microcode.lanes <= 4");
    fail(node.at,
         fmt::format("{} is {}, expected a number", what,
                     node.type == TermType::Text ? "a text" : "a comparison"));
  }

  [[noreturn]] void unknown(const Term &node) const {
    std::vector<std::string> known;
    for (const auto &[name, values] : names)
      known.push_back(name);
    fail(node.at, fmt::format("no {} is named '{}'{}; known are {}", words.noun,
                              printable(node.text),
                              suggestion(node.text, known), joinWords(known)));
  }

  NodePtr any() { return chain({"or", "||"}, &Parser::all, TermType::Truth); }
  NodePtr all() {
    return chain({"and", "&&"}, &Parser::inverse, TermType::Truth);
  }

  NodePtr inverse() {
    skip();
    const size_t where = cursor;
    if (text.compare(cursor, 2, "!=") == 0 || take({"not", "!"}).empty())
      return compare();
    if (++depth > kDepth)
      fail(where, "the expression is nested too deeply");
    NodePtr node = inverse();
    --depth;
    expect(*node, TermType::Truth);
    return join("not", where, TermType::Truth, std::move(node), nullptr);
  }

  NodePtr compare() {
    NodePtr left = sum();
    skip();
    const size_t where = cursor;
    const std::string op = take({"<=", ">=", "==", "!=", "<", ">"});
    if (op.empty()) {
      if (cursor < text.size() && text[cursor] == '=')
        fail(cursor, "expected == for a comparison, found =");
      return left;
    }
    NodePtr right = sum();
    if (left->type == TermType::Text || right->type == TermType::Text)
      checkTexts(*left, *right, op, where);
    else {
      expect(*left, TermType::Number);
      expect(*right, TermType::Number);
    }
    return join(op, where, TermType::Truth, std::move(left), std::move(right));
  }

  /// One is an axis, the other an axis or one of its values.
  void checkTexts(Term &left, Term &right, const std::string &op,
                  size_t where) {
    Term &axis = left.name.empty() ? right : left;
    Term &other = &axis == &left ? right : left;
    if (axis.name.empty())
      unknown(left.word ? left : right);
    if (axis.type != TermType::Text && other.word)
      unknown(other);
    if (axis.type != TermType::Text || other.type != TermType::Text)
      fail(where, "one side is a text and the other one is not");
    if (op != "==" && op != "!=")
      fail(where, fmt::format("'{}' is a text, expected == or !=, found {}",
                              axis.name, op));
    if (!other.name.empty())
      return;
    const auto &values = valuesOf(axis.name);
    if (std::find(values.begin(), values.end(), other.text) == values.end())
      fail(other.at,
           fmt::format("'{}' has no value '{}'{}; it has {}", axis.name,
                       printable(other.text), suggestion(other.text, values),
                       joinWords(values)));
    other.word = false;
  }

  const std::vector<std::string> &valuesOf(const std::string &name) const {
    return std::find_if(names.begin(), names.end(),
                        [&](const auto &each) { return each.first == name; })
        ->second;
  }

  NodePtr sum() {
    return chain({"+", "-"}, &Parser::product, TermType::Number);
  }
  NodePtr product() {
    return chain({"*", "/", "%"}, &Parser::factor, TermType::Number);
  }

  /// Parts of one type with operators between them, from left to right.
  NodePtr chain(std::initializer_list<const char *> operators,
                NodePtr (Parser::*part)(), TermType type) {
    NodePtr left = (this->*part)();
    while (true) {
      skip();
      const size_t where = cursor;
      std::string op = take(operators);
      if (op.empty())
        return left;
      if (op == "||" || op == "&&")
        op = *operators.begin();
      NodePtr right = (this->*part)();
      expect(*left, type);
      expect(*right, type);
      left = join(op, where, type, std::move(left), std::move(right));
    }
  }

  NodePtr factor() {
    skip();
    if (++depth > kDepth)
      fail(cursor, "the expression is nested too deeply");
    NodePtr node = inner();
    --depth;
    return node;
  }

  NodePtr inner() {
    const size_t where = cursor;
    if (!take({"("}).empty()) {
      NodePtr node = any();
      if (take({")"}).empty())
        fail(where, "expected a ) for this (");
      return node;
    }
    if (!take({"-"}).empty()) {
      NodePtr node = factor();
      expect(*node, TermType::Number);
      return join("-", where, TermType::Number, std::move(node), nullptr);
    }
    if (NodePtr node = callHere())
      return node;
    return leaf();
  }

  /// A function and its arguments; null where none begins here.
  NodePtr callHere() {
    const size_t where = cursor;
    for (const std::string &function : words.functions) {
      if (take({function.c_str()}).empty())
        continue;
      if (!take({"("}).empty())
        return argumentsOf(function, where);
      cursor = where;
    }
    return nullptr;
  }

  NodePtr argumentsOf(const std::string &function, size_t where) {
    auto node = std::make_unique<Term>();
    node->op = function;
    node->at = where;
    node->call = true;
    do {
      node->parts.push_back(sum());
      expect(*node->parts.back(), TermType::Number);
    } while (!take({","}).empty());
    if (take({")"}).empty())
      fail(where, fmt::format("expected a ) for the ( of {}", function));
    return node;
  }

  NodePtr leaf() {
    auto node = std::make_unique<Term>();
    node->at = cursor;
    if (cursor < text.size() && (text[cursor] == '\'' || text[cursor] == '"')) {
      const size_t end = text.find(text[cursor], cursor + 1);
      if (end == std::string::npos)
        fail(cursor, "expected the text's end, another quotation mark");
      node->type = TermType::Text;
      node->text = text.substr(cursor + 1, end - cursor - 1);
      cursor = end + 1;
      return node;
    }
    if (nameHere(*node))
      return node;
    const auto [rest, error] = std::from_chars(
        text.data() + cursor, text.data() + text.size(), node->number);
    const size_t end = size_t(rest - text.data());
    if (error == std::errc() && std::isfinite(node->number) &&
        (end == text.size() || !isWordPart(text[end]))) {
      cursor = end;
      return node;
    }
    size_t stop = cursor;
    while (stop < text.size() && (isWordPart(text[stop]) || text[stop] == '-'))
      ++stop;
    if (stop == cursor)
      fail(cursor, fmt::format("expected a number, {} {} or a text, found {}",
                               words.noun[0] == 'a' ? "an" : "a", words.noun,
                               cursor < text.size()
                                   ? "'" + printable(text.substr(cursor)) + "'"
                                   : "the end"));
    node->type = TermType::Text;
    node->word = true;
    node->text = text.substr(cursor, stop - cursor);
    cursor = stop;
    return node;
  }

  /// The longest axis that stands here; names may hold a "-".
  bool nameHere(Term &node) {
    for (const auto &[name, values] : names) {
      const size_t end = cursor + name.size();
      if (name.size() <= node.name.size() ||
          text.compare(cursor, name.size(), name) != 0 ||
          (end < text.size() && isWordPart(text[end])))
        continue;
      node.name = name;
      node.type = std::all_of(values.begin(), values.end(),
                              [](const auto &v) { return !!numberIn(v); })
                      ? TermType::Number
                      : TermType::Text;
    }
    cursor += node.name.size();
    return !node.name.empty();
  }

  const std::string &text;
  const Words &words;
  const Vocabulary &names;
  const TextPlace place;
  size_t cursor = 0;
  unsigned depth = 0;
};

} // namespace

std::optional<double> numberIn(const std::string &text) {
  double value = 0;
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::unique_ptr<Term> parseTruth(const std::string &text, const Words &words,
                                 const TextPlace &place) {
  return Parser(text, words, place).expression(TermType::Truth);
}

std::unique_ptr<Term> parseNumber(const std::string &text, const Words &words,
                                  const TextPlace &place) {
  return Parser(text, words, place).expression(TermType::Number);
}

double numberOf(const Term &term, const Meaning &meaning) {
  if (term.parts.empty())
    return term.name.empty() ? term.number : meaning.number(term.name);
  std::vector<double> values;
  for (const auto &part : term.parts)
    values.push_back(numberOf(*part, meaning));
  if (term.call)
    return meaning.call(term.op, values);
  if (values.size() == 1)
    return -values[0];
  switch (term.op[0]) {
  case '+':
    return values[0] + values[1];
  case '-':
    return values[0] - values[1];
  case '*':
    return values[0] * values[1];
  }
  if (values[1] == 0)
    throw Error("an expression divides by zero");
  return term.op == "/" ? values[0] / values[1]
                        : std::fmod(values[0], values[1]);
}

bool truthOf(const Term &term, const Meaning &meaning) {
  const Term &left = *term.parts[0];
  if (term.op == "not")
    return !truthOf(left, meaning);
  const Term &right = *term.parts[1];
  if (term.op == "and")
    return truthOf(left, meaning) && truthOf(right, meaning);
  if (term.op == "or")
    return truthOf(left, meaning) || truthOf(right, meaning);
  if (left.type == TermType::Text) {
    auto textOf = [&](const Term &side) {
      return side.name.empty() ? side.text : meaning.text(side.name);
    };
    return (textOf(left) == textOf(right)) == (term.op == "==");
  }
  const double a = numberOf(left, meaning), b = numberOf(right, meaning);
  if (term.op == "==")
    return a == b;
  if (term.op == "!=")
    return a != b;
  if (term.op == "<")
    return a < b;
  if (term.op == "<=")
    return a <= b;
  return term.op == ">" ? a > b : a >= b;
}

} // namespace dendrolith::yaml
