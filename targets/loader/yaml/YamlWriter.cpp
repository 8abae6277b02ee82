// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree as text again: maps in blocks, records and lists on one line.

#include "targets/loader/yaml/Yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace dendrolith::yaml {

std::string inQuotes(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", unsigned(c));
    else
      out += c;
  }
  return out + "\"";
}

/// Words, numbers and empty values stand bare; all else is quoted, so that no
/// character needs thought. Signs alone ("-", "---", "...") mean something.
static std::string scalarText(const Node &node) {
  auto isAlnum = [](unsigned char c) { return std::isalnum(c) != 0; };
  auto isPlain = [&](unsigned char c) {
    return isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '+';
  };
  const std::string &plain = node.text;
  if (!node.quoted && std::all_of(plain.begin(), plain.end(), isPlain) &&
      (plain.empty() || std::any_of(plain.begin(), plain.end(), isAlnum)))
    return plain;
  return inQuotes(node.text);
}

static std::string oneLine(const Node &node) {
  // An empty member of a list would not be one.
  if (node.type == Node::Type::Scalar)
    return node.text.empty() && !node.quoted ? "~" : scalarText(node);
  bool map = node.type == Node::Type::Map;
  std::string text = map ? "{" : "[";
  for (size_t i = 0; i < node.items.size(); ++i) {
    if (i)
      text += ", ";
    if (map)
      text += scalarText(node.keys[i]) + ": ";
    text += oneLine(node.items[i]);
  }
  return text + (map ? "}" : "]");
}

static bool fitsOneLine(const Node &node) {
  return node.type != Node::Type::Map || node.items.empty() || isRecord(node);
}

static void writeMap(const Node &map, const std::string &indent,
                     std::string &text) {
  for (size_t i = 0; i < map.items.size(); ++i) {
    text += indent + scalarText(map.keys[i]) + ":";
    const Node &item = map.items[i];
    if (fitsOneLine(item)) {
      text += " " + oneLine(item) + "\n";
      continue;
    }
    text += "\n";
    writeMap(item, indent + "  ", text);
  }
}

std::string write(const Node &root) {
  std::string text;
  if (fitsOneLine(root))
    return oneLine(root) + "\n";
  writeMap(root, "", text);
  return text;
}

} // namespace dendrolith::yaml
