// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON of others, read as untrusted text: one limit of nesting for all of it,
// and errors in our own words. Includes no JSON library: whoever has one gives
// its type of a value.

#ifndef DENDROLITH_TARGETS_SUPPORT_JSONTEXT_H
#define DENDROLITH_TARGETS_SUPPORT_JSONTEXT_H

#include "targets/support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace dendrolith {

/// Values that nest deeper are never read: to print or copy one takes a call
/// for each level.
constexpr int kMostJsonLevels = 64;

/// Throws Error for text with a zero byte, which a parser takes for the end, or
/// with more levels. `where` (the file) begins every message.
void checkJsonText(const std::string &text, const std::string &where);

/// Throws Error for the byte, counted from 1, at which a parser gave up.
[[noreturn]] void failJsonSyntax(const std::string &text, size_t byte,
                                 const std::string &where);

/// What is wrong by an exception of the JSON library, without its prefix
/// "[json.exception....] ", in at most a line.
std::string jsonReason(const std::exception &error);

/// Reads text as a value of the library. Throws Error for text that is none.
template <typename Json>
Json readJson(const std::string &text, const std::string &where) {
  checkJsonText(text, where);
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error &error) {
    failJsonSyntax(text, error.byte, where);
  } catch (const typename Json::exception &) {
    throw Error(where + ": expected JSON with numbers in range, found one "
                        "beyond it");
  }
}

/// A whole number from 0 on. Throws the library's type error for any other
/// value: its own conversion takes every number, and one beyond the range has
/// no meaning then.
template <typename Json> uint64_t wholeFrom(const Json &json) {
  // A value that was built in memory may hold small numbers as signed.
  if (json.is_number_unsigned() ||
      (json.is_number_integer() && json.template get<int64_t>() >= 0))
    return json.template get<uint64_t>();
  const std::string found =
      json.is_number() ? json.dump() : std::string(json.type_name());
  throw Json::type_error::create(
      302, "expected a whole number from 0 on, found " + found, &json);
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_JSONTEXT_H
