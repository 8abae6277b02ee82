// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/yaml/Yaml.h"

#include "targets/support/InputFile.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace dendrolith::yaml {

constexpr size_t maxDepth = 16;

std::string Node::found() const {
  if (type == Type::Map)
    return "a map";
  if (type == Type::Sequence)
    return "a list";
  if (text.empty() && !quoted)
    return "nothing";
  // A long or binary scalar would drown the message.
  return (quoted ? "the text '" : "'") + printable(text) + "'";
}

std::string Node::place() const {
  return fmt::format("{}:{}:{}", file ? *file : "", line, column);
}

Node *find(Node &map, const std::string &key) {
  for (size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i].text == key)
      return &map.items[i];
  return nullptr;
}

const Node *find(const Node &map, const std::string &key) {
  return find(const_cast<Node &>(map), key);
}

bool isRecord(const Node &node) {
  return node.type == Node::Type::Map &&
         (find(node, "value") || (find(node, "low") && find(node, "kind")));
}

void put(Node &map, const Node &key, const Node &item) {
  if (Node *place = find(map, key.text)) {
    *place = item;
    return;
  }
  map.keys.push_back(key);
  map.items.push_back(item);
}

// Texts of the file are in many messages, and may hold lines.
void fail(const Node &node, const std::string &message) {
  throw Error(node.place() + ": " + printable(message, 4096));
}

namespace {

class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(const std::string &filename, size_t maxMembers)
      : file(std::make_shared<const std::string>(filename)),
        maxMembers(maxMembers) {
    root.file = file;
  }

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    add(make(Node::Type::Scalar, mark, "", anchor));
  }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    fail(make(Node::Type::Scalar, mark, "", 0),
         "an alias is not allowed here, write the value out");
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag,
                YAML::anchor_t anchor, const std::string &value) override {
    Node node = make(Node::Type::Scalar, mark, tag, anchor);
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(make(Node::Type::Sequence, mark, tag, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag,
                  YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(make(Node::Type::Map, mark, tag, anchor));
  }
  void OnMapEnd() override { close(); }

  Node root;

private:
  Node make(Node::Type type, const YAML::Mark &mark, const std::string &tag,
            YAML::anchor_t anchor) const {
    Node node;
    node.type = type;
    node.file = file;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    if (anchor)
      fail(node, "an anchor is not allowed here, write the value out");
    // yaml-cpp reports "?" for plain values and "!" for quoted ones.
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(node, "a tag is not allowed here, write the value alone");
    return node;
  }

  void open(Node node) {
    if (stack.size() >= maxDepth)
      fail(node, fmt::format("nested deeper than {} levels", maxDepth));
    stack.push_back(std::move(node));
  }

  void close() {
    Node node = std::move(stack.back());
    stack.pop_back();
    add(std::move(node));
  }

  void add(Node node) {
    if (stack.empty()) {
      root = std::move(node);
      return;
    }
    Node &parent = stack.back();
    // Also keeps the search for duplicates short.
    if (parent.items.size() >= maxMembers)
      fail(node,
           fmt::format("more than {} members in one map or list", maxMembers));
    bool isKey = parent.type == Node::Type::Map &&
                 parent.keys.size() == parent.items.size();
    if (!isKey) {
      // yaml-cpp places a missing value at the token after it.
      if (parent.type == Node::Type::Map && node.type == Node::Type::Scalar &&
          node.text.empty() && !node.quoted) {
        node.line = parent.keys.back().line;
        node.column = parent.keys.back().column;
      }
      parent.items.push_back(std::move(node));
      return;
    }
    if (node.type != Node::Type::Scalar)
      fail(node, "expected a word as key, found " + node.found());
    for (const Node &key : parent.keys)
      if (key.text == node.text)
        fail(node, fmt::format("duplicate key {}, first given in line {}",
                               node.found(), key.line));
    parent.keys.push_back(std::move(node));
  }

  std::shared_ptr<const std::string> file;
  size_t maxMembers; // of one map or list
  std::vector<Node> stack;
};

} // namespace

/// yaml-cpp passes on bytes that YAML does not allow.
static void checkCharacters(const std::string &text, Node place) {
  const size_t valid = utf8Prefix(text);
  for (size_t at = 0; at < text.size(); ++at) {
    unsigned char c = static_cast<unsigned char>(text[at]);
    bool control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
    if (at == valid || control || c == 0x7f)
      fail(place, fmt::format("expected text in UTF-8 without control "
                              "characters, found the byte {:#04x}",
                              c));
    place.column = c == '\n' ? 1 : place.column + ((c & 0xc0) != 0x80);
    place.line += c == '\n';
  }
}

Node parse(const std::string &text, const std::string &filename,
           const Bounds &bounds) {
  if (text.size() > bounds.bytes)
    throw Error(fmt::format("{}: the file has {} bytes, expected at most {}",
                            filename, text.size(), bounds.bytes));
  TreeBuilder builder(filename, bounds.members);
  if (text.find('\0') != std::string::npos)
    fail(builder.root, "the file holds NUL bytes, expected YAML text");
  checkCharacters(text, builder.root);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    parser.HandleNextDocument(builder);
    TreeBuilder second(filename, bounds.members);
    if (parser.HandleNextDocument(second))
      fail(second.root, "a second document starts here, expected one");
  } catch (const YAML::Exception &e) {
    Node place = builder.root;
    place.line = e.mark.line + 1;
    place.column = e.mark.column + 1;
    fail(place, "not valid YAML: " + e.msg);
  }
  return std::move(builder.root);
}

std::string readFile(const std::string &path, const Bounds &bounds) {
  return dendrolith::readFile(path, bounds.bytes);
}

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
