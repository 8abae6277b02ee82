// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/JsonText.h"

#include "targets/support/Text.h"

#include <fmt/format.h>

#include <regex>
#include <utility>

namespace dendrolith {

/// Line and column of a byte, all counted from 1.
static std::string lineAndColumn(const std::string &text, size_t byte) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return fmt::format("{}:{}", line, column);
}

void checkJsonText(const std::string &text, const std::string &where) {
  int level = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 0)
      throw Error(fmt::format("{}:{}: expected JSON, found a zero byte", where,
                              lineAndColumn(text, i + 1)));
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++level > kMostJsonLevels)
      throw Error(fmt::format("{}:{}: expected at most {} levels of nesting",
                              where, lineAndColumn(text, i + 1),
                              kMostJsonLevels));
    else if (!quoted && (c == ']' || c == '}'))
      --level;
  }
}

void failJsonSyntax(const std::string &text, size_t byte,
                    const std::string &where) {
  throw Error(fmt::format("{}:{}: expected JSON, found a syntax error; was "
                          "it cut short or edited?",
                          where, lineAndColumn(text, byte)));
}

/// What the library says of a value that is not what the reader expects.
static std::string inOurWords(const std::string &reason) {
  static const std::pair<std::regex, const char *> sentences[] = {
      {std::regex("key ('.*') not found"), "expected a member $1, found none"},
      {std::regex("cannot use .* with (\\w+)"),
       "expected another kind of value, found $1"},
      {std::regex("type must be (.*), but is (\\w+)"), "expected $1, found $2"},
      {std::regex("array index (\\d+) is out of range"),
       "expected a list with an element $1, found a shorter one"}};
  std::smatch found;
  for (const auto &[pattern, sentence] : sentences)
    if (std::regex_match(reason, found, pattern))
      return found.format(sentence);
  return reason;
}

std::string jsonReason(const std::exception &error) {
  const std::string text = error.what();
  const size_t end =
      startsWith(text, "[json.exception.") ? text.find("] ") : text.npos;
  return end == text.npos ? text
                          : printable(inOurWords(text.substr(end + 2)), 200);
}

} // namespace dendrolith
