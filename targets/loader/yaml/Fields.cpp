// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/yaml/Fields.h"

#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dendrolith::yaml {

namespace {

bool contains(const std::vector<std::string> &words, const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const Node &scalar(const Node &node, const std::string &what,
                   const std::string &expected) {
  if (node.type != Node::Type::Scalar || (node.text.empty() && !node.quoted))
    fail(node, fmt::format("expected {} for '{}', found {}", expected, what,
                           node.found()));
  return node;
}

/// Names the values that are numbers to YAML but to nobody else.
void refuseNonFinite(const Node &node, const std::string &what) {
  std::string word;
  for (char c : node.text)
    if (c != '.' && c != '+' && c != '-')
      word += char(std::tolower(static_cast<unsigned char>(c)));
  if (word == "nan" || word == "inf" || word == "infinity")
    fail(node,
         fmt::format("'{}' is {}, expected a finite number", what, node.text));
}

bool isDecimal(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
}

} // namespace

Fields::Fields(const Node &node, const std::string &what,
               std::vector<std::string> required,
               const std::vector<std::string> &optional)
    : map(node) {
  if (node.type != Node::Type::Map)
    fail(node, fmt::format("expected a map with the keys {} for '{}', found {}",
                           joinWords(required.empty() ? optional : required),
                           what, node.found()));
  std::vector<std::string> known = required;
  known.insert(known.end(), optional.begin(), optional.end());
  for (const Node &key : node.keys)
    if (!contains(known, key.text))
      fail(key, fmt::format("unknown key {} in '{}', expected one of {}{}",
                            key.found(), what, joinWords(known),
                            suggestion(key.text, known)));
  for (const std::string &key : required)
    if (!find(key))
      fail(node, fmt::format("missing key '{}' in '{}'", key, what));
}

const Node *Fields::find(const std::string &key) const {
  return yaml::find(map, key);
}

const Node &Fields::at(const std::string &key) const {
  if (const Node *node = find(key))
    return *node;
  fail(map, fmt::format("missing key '{}'", key));
}

std::string readText(const Node &node, const std::string &what) {
  const std::string &text = scalar(node, what, "a text").text;
  if (text.empty())
    fail(node, fmt::format("'{}' is empty, expected a text", what));
  for (unsigned char c : text)
    if (c < 0x20 && c != '\n')
      fail(node, fmt::format("'{}' holds control characters", what));
  return text;
}

bool readFlag(const Node &node, const std::string &what) {
  const Node &value = scalar(node, what, "true or false");
  if (!value.quoted && value.text == "true")
    return true;
  if (!value.quoted && value.text == "false")
    return false;
  fail(node, fmt::format("expected true or false for '{}', found {}", what,
                         node.found()));
}

uint64_t readUnsigned(const Node &node, const std::string &what, uint64_t min,
                      uint64_t max) {
  scalar(node, what, "a whole number");
  refuseNonFinite(node, what);
  const std::string &text = node.text;
  if (text[0] == '-' && isDecimal(text.substr(1)))
    fail(node, fmt::format("'{}' is negative ({}), expected {} to {}", what,
                           text, min, max));
  if (node.quoted || !isDecimal(text))
    fail(node, fmt::format("expected a whole number for '{}', found {}", what,
                           node.found()));
  uint64_t value = 0;
  auto end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value > max)
    fail(node, fmt::format("'{}' is too large ({}), expected {} to {}", what,
                           node.found(), min, max));
  if (value < min)
    fail(node, fmt::format("'{}' is too small ({}), expected {} to {}", what,
                           text, min, max));
  return value;
}

int64_t readInteger(const Node &node, const std::string &what, int64_t min,
                    int64_t max) {
  scalar(node, what, "a whole number");
  refuseNonFinite(node, what);
  const std::string &text = node.text;
  bool negative = text[0] == '-';
  if (node.quoted || !isDecimal(negative ? text.substr(1) : text))
    fail(node, fmt::format("expected a whole number for '{}', found {}", what,
                           node.found()));
  int64_t value = 0;
  auto end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < min || value > max)
    fail(node, fmt::format("'{}' is out of range ({}), expected {} to {}", what,
                           node.found(), min, max));
  return value;
}

double readReal(const Node &node, const std::string &what) {
  scalar(node, what, "a number");
  refuseNonFinite(node, what);
  const std::string &text = node.text;
  double value = 0;
  auto end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  bool number = rest == end && error != std::errc::invalid_argument;
  if (node.quoted || !number)
    fail(node, fmt::format("expected a number for '{}', found {}", what,
                           node.found()));
  if (std::signbit(value))
    fail(node,
         fmt::format("'{}' is negative ({}), expected 0 or more", what, text));
  if (error != std::errc() || !std::isfinite(value) ||
      value > double(maxNumber))
    fail(node, fmt::format("'{}' is out of range ({}), expected 0 to {}", what,
                           node.found(), maxNumber));
  return value;
}

std::string readWord(const Node &node, const std::string &what,
                     const std::vector<std::string> &words) {
  const std::string &text =
      scalar(node, what, "one of " + joinWords(words)).text;
  if (!contains(words, text))
    fail(node, fmt::format("expected one of {} for '{}', found {}{}",
                           joinWords(words), what, node.found(),
                           suggestion(text, words)));
  return text;
}

Provenance readKind(const Node &node) {
  static const std::vector<Provenance> kinds = {
      Provenance::Measured, Provenance::Fitted, Provenance::PreSilicon,
      Provenance::Derived,  Provenance::Scaled, Provenance::Inherited,
      Provenance::Assumed};
  std::vector<std::string> words;
  for (Provenance kind : kinds)
    words.push_back(toString(kind));
  std::string word = readWord(node, "kind", words);
  return kinds[std::find(words.begin(), words.end(), word) - words.begin()];
}

} // namespace dendrolith::yaml
