// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breaking a good file in one place and reading the message.

#ifndef DENDROLITH_TESTS_TARGETS_SUPPORT_H
#define DENDROLITH_TESTS_TARGETS_SUPPORT_H

#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace dendrolith::test {

/// `text` with its only occurrence of `from` replaced.
inline std::string edit(std::string text, const std::string &from,
                        const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "nothing to edit: " << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos)
      << "ambiguous: " << from;
  if (at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

/// "line:column" of the `skip`-th character after the start of `needle`.
inline std::string place(const std::string &text, const std::string &needle,
                         size_t skip = 0) {
  size_t at = text.find(needle);
  EXPECT_NE(at, std::string::npos) << "nothing to find: " << needle;
  EXPECT_EQ(text.find(needle, at + 1), std::string::npos)
      << "ambiguous: " << needle;
  at += skip;
  size_t line = 1 + std::count(text.begin(), text.begin() + at, '\n');
  size_t start = text.rfind('\n', at - 1);
  size_t column = start == std::string::npos ? at + 1 : at - start;
  return std::to_string(line) + ":" + std::to_string(column);
}

/// The barrier of the chip 'tiny', for `edit` to replace.
inline const char *const tinyFormula =
    "      formula:\n"
    "        base: {value: 100000, unit: ps, kind: assumed, source: "
    "dendrolith}\n"
    "        span: {value: 30000, unit: ps, kind: assumed, source: "
    "dendrolith}\n"
    "        over: {value: 3, unit: tiles, kind: assumed, source: "
    "dendrolith}\n";

/// A time of a chip file in picoseconds.
inline std::string ps(uint64_t value) {
  return "{value: " + std::to_string(value) +
         ", unit: ps, kind: assumed, source: dendrolith}";
}

/// The message of the Error thrown, or "" when nothing is.
template <typename Function> std::string messageOf(Function function) {
  try {
    function();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

inline std::string parseTarget(const std::string &text) {
  return messageOf([&] { Target::parse(text, "chip.yaml"); });
}

inline std::string parseCosts(const std::string &text, const Target &target) {
  return messageOf([&] { CostTable::parse(text, "costs.yaml", target); });
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_TARGETS_SUPPORT_H
