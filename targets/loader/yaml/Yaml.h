// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small YAML tree with places. Built from yaml-cpp's events rather than its
// nodes because only events show aliases, second documents and duplicate keys
// with their line and column.

#ifndef DENDROLITH_TARGETS_LOADER_YAML_YAML_H
#define DENDROLITH_TARGETS_LOADER_YAML_YAML_H

#include "targets/support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace dendrolith::yaml {

struct Node {
  enum class Type { Scalar, Sequence, Map };
  Type type = Type::Scalar;
  std::string text;        // of a scalar; "" for null
  bool quoted = false;     // "1" in quotes is a text, not a number
  std::vector<Node> keys;  // of a map, beside `items`
  std::vector<Node> items; // values of a map, or members of a sequence
  int line = 1, column = 1;
  std::shared_ptr<const std::string> file;

  /// "a map", "a list", "nothing" or "'text'", for messages.
  std::string found() const;
  /// "file:line:column", for messages.
  std::string place() const;
};

/// The item of a map at a key; null when it is absent.
Node *find(Node &map, const std::string &key);
const Node *find(const Node &map, const std::string &key);

/// Whether a node is a number with what is known of it, of one value or of two
/// ends, and not a map of such.
bool isRecord(const Node &node);

/// Replaces the item of that key in a map, or adds both.
void put(Node &map, const Node &key, const Node &item);

/// Throws Error("file:line:column: message").
[[noreturn]] void fail(const Node &node, const std::string &message);

/// What parse() refuses to go beyond.
struct Bounds {
  size_t members = 1000;  // of one map or list
  size_t bytes = 1 << 20; // of the file
};

/// Parses one document. Refuses: more than one document, anchors and aliases,
/// tags, duplicate keys, keys that are no scalars, nesting deeper than 16,
/// more members or bytes than the bounds allow, NUL bytes.
Node parse(const std::string &text, const std::string &filename,
           const Bounds &bounds = Bounds());

/// The tree as text that parse() reads back; comments are gone. Texts beyond
/// plain words come out quoted.
std::string write(const Node &root);

/// A text in double quotes, as YAML and JSON both read it.
std::string inQuotes(const std::string &text);

/// Reads a whole file for parse(). Throws Error when it cannot.
std::string readFile(const std::string &path, const Bounds &bounds = Bounds());

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_YAML_YAML_H
