// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <utf8.h>

namespace dendrolith {

std::string printable(const std::string &text, size_t most) {
  size_t size = std::min(text.size(), most);
  // Not in the middle of a character.
  while (size < text.size() && size > 0 &&
         (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
    --size;
  std::string shown = text.substr(0, size);
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  for (size_t at = 0; at < shown.size(); ++at) {
    at += utf8Prefix(std::string_view(shown).substr(at));
    if (at < shown.size())
      shown[at] = '?';
  }
  return size < text.size() ? shown + "..." : shown;
}

std::string quotedName(const std::string &name) {
  const size_t most = 80;
  std::string text = "'";
  for (unsigned char c : name.substr(0, most))
    if (c < 0x20 || c == 0x7f)
      text += fmt::format("\\x{:02x}", c);
    else
      text += static_cast<char>(c);
  return text + (name.size() > most ? "...'" : "'");
}

bool startsWith(const std::string &text, const std::string &beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

std::string shapeText(const std::vector<uint64_t> &shape) {
  const size_t most = 32; // axes, as numpy and HDF5 allow
  if (shape.size() > most)
    return fmt::format("of {} axes", shape.size());
  return fmt::format("({}{})", fmt::join(shape, ", "),
                     shape.size() == 1 ? "," : "");
}

/// Levenshtein distance.
static size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min(
          {row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string joinWords(const std::vector<std::string> &words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string suggestion(const std::string &word,
                       const std::vector<std::string> &known) {
  // Long garbage is no typo; comparing it would only cost time.
  if (word.size() > 100)
    return "";
  const std::string *best = nullptr;
  size_t bestDistance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string &candidate : known) {
    size_t d = distance(word, candidate);
    if (d < bestDistance && d < candidate.size()) {
      best = &candidate;
      bestDistance = d;
    }
  }
  return best ? fmt::format(", did you mean '{}'?", *best) : "";
}

size_t utf8Prefix(std::string_view text) {
  return static_cast<size_t>(utf8::find_invalid(text.begin(), text.end()) -
                             text.begin());
}

/// Not in the middle of a character.
static size_t characterBegin(const std::string &text, size_t at) {
  while (at > 0 && at < text.size() &&
         (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
    --at;
  return at;
}

/// The text with its middle left out where it has more than `most` bytes; `end`
/// bytes stay behind that.
static std::string withoutMiddle(const std::string &text, size_t most,
                                 size_t end) {
  if (text.size() <= most)
    return text;
  const size_t left = characterBegin(text, most - end),
               right = characterBegin(text, text.size() - end);
  return fmt::format("{} ... ({} bytes are left out here) ... {}",
                     text.substr(0, left), right - left, text.substr(right));
}

std::string shortened(const std::string &message) {
  std::string text, word, line;
  auto endWord = [&] {
    line += withoutMiddle(word, 400, 100);
    word.clear();
  };
  auto endLine = [&] {
    endWord();
    text += withoutMiddle(line, 2000, 400);
    line.clear();
  };
  for (char c : message)
    if (c == '\n') {
      endLine();
      text += c;
    } else if (c == ' ') {
      endWord();
      line += c;
    } else if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') ||
               c == 0x7f) {
      word += fmt::format("\\x{:02x}", c);
    } else {
      word += c;
    }
  endLine();
  return withoutMiddle(text, 4096, 512);
}

} // namespace dendrolith
