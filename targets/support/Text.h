// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How messages write what comes from files: names, texts and shapes.

#ifndef DENDROLITH_TARGETS_SUPPORT_TEXT_H
#define DENDROLITH_TARGETS_SUPPORT_TEXT_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

/// Text of a file, harmless in a message to a terminal: '?' in place of control
/// characters and of bytes that are no UTF-8, cut beyond `most` bytes.
std::string printable(const std::string &text, size_t most = 64);

/// A name from a file in single quotes, with control characters written as
/// "\x0a" and at most 80 bytes of it.
std::string quotedName(const std::string &name);

/// Whether `text` begins with `beginning`.
bool startsWith(const std::string &text, const std::string &beginning);

/// A shape as numpy writes it: "(3, 4)", "(3,)" or "()".
std::string shapeText(const std::vector<uint64_t> &shape);

/// "a, b, c" for messages.
std::string joinWords(const std::vector<std::string> &words);

/// ", did you mean 'x'?" for the nearest of `known`, or nothing.
std::string suggestion(const std::string &word,
                       const std::vector<std::string> &known);

/// How many elements an array of that shape has, 1 for no axis. What does not
/// fit 64 bits is 2^64 - 1, which exceeds every limit.
template <typename Shape> uint64_t product(const Shape &shape) {
  uint64_t count = 1;
  for (auto extent : shape)
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(extent), &count))
      return std::numeric_limits<uint64_t>::max();
  return count;
}

/// How many bytes stand before the first that is no UTF-8 (RFC 3629: shortest
/// forms only, no surrogates, at most U+10FFFF); the whole size if there is
/// none.
size_t utf8Prefix(std::string_view text);

/// A message that quotes something long, with its middle left out: nobody reads
/// 100 MB of it.
std::string shortened(const std::string &message);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_TEXT_H
