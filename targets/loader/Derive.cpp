// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Derive.h"

#include "targets/loader/Discovery.h"
#include "targets/loader/Reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite::yaml {

static Node *find(Node &map, const std::string &key) {
  for (size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i].text == key)
      return &map.items[i];
  return nullptr;
}

static const Node *find(const Node &map, const std::string &key) {
  return find(const_cast<Node &>(map), key);
}

static bool isRecord(const Node &node) {
  return node.type == Node::Type::Map && find(node, "value");
}

static void put(Node &map, const Node &key, const Node &item) {
  if (Node *place = find(map, key.text)) {
    *place = item;
    return;
  }
  map.keys.push_back(key);
  map.items.push_back(item);
}

//===----------------------------------------------------------------------===//
// base
//===----------------------------------------------------------------------===//

bool hasBase(const Node &root) {
  return root.type == Node::Type::Map && find(root, "base");
}

/// A barrier has one form: another one replaces it.
static bool isOtherForm(const std::string &key, const Node &now,
                        const Node &then) {
  return key == "barrier" &&
         std::any_of(then.keys.begin(), then.keys.end(),
                     [&](const auto &form) { return !find(now, form.text); });
}

static void merge(Node &into, const Node &from) {
  for (size_t i = 0; i < from.keys.size(); ++i) {
    const Node &item = from.items[i];
    Node *place = find(into, from.keys[i].text);
    bool bothMaps =
        place && place->type == Node::Type::Map && item.type == Node::Type::Map;
    if (bothMaps && !isRecord(*place) && !isRecord(item) &&
        !isOtherForm(from.keys[i].text, *place, item))
      merge(*place, item);
    else
      put(into, from.keys[i], item);
  }
}

Node withBase(const Node &root, const std::string &filename) {
  const Node &name = *find(root, "base");
  std::string base = readText(name, "base");
  std::string path = findTarget(base, filename);
  if (path.empty())
    fail(name,
         fmt::format("no target '{}' to build on, expected one of {}{}", base,
                     join(listTargets()), suggestion(base, listTargets())));
  for (const char *key : {"name", "description"})
    if (!find(root, key))
      fail(root, fmt::format("missing key '{}' in 'target', a chip with a "
                             "base still has its own",
                             key));
  Node whole = parse(readFile(path), path);
  if (whole.type != Node::Type::Map || hasBase(whole))
    fail(name, fmt::format("target '{}' is itself built on a base, name that "
                           "one",
                           base));
  Node differing = root;
  for (size_t i = 0; i < differing.keys.size(); ++i)
    if (differing.keys[i].text == "base") {
      differing.keys.erase(differing.keys.begin() + i);
      differing.items.erase(differing.items.begin() + i);
      break;
    }
  merge(whole, differing);
  // The base's cost tables still fit: prices belong to events, not to sizes.
  if (!find(whole, "costs_from")) {
    Node key = name;
    key.text = "costs_from";
    put(whole, key, name);
  }
  return whole;
}

//===----------------------------------------------------------------------===//
// set
//===----------------------------------------------------------------------===//

/// The node at a dotted path. Names of timing sets may hold dots themselves.
static Node *follow(Node &map, const std::string &path) {
  for (size_t i = 0; i < map.keys.size(); ++i) {
    const std::string &key = map.keys[i].text;
    if (path == key)
      return &map.items[i];
    if (path.rfind(key + ".", 0) == 0)
      if (Node *node = follow(map.items[i], path.substr(key.size() + 1)))
        return node;
  }
  return nullptr;
}

static void listRecords(const Node &map, const std::string &prefix,
                        std::vector<std::string> &names) {
  for (size_t i = 0; i < map.keys.size(); ++i) {
    std::string name = prefix + map.keys[i].text;
    if (isRecord(map.items[i]) || map.items[i].text == "unlimited")
      names.push_back(name);
    else
      listRecords(map.items[i], name + ".", names);
  }
}

void replaceRecord(Node &root, const std::vector<Record> &records,
                   const std::string &key, const std::string &value) {
  static const char *const source = "command line";
  auto scalar = [&](const Node &place, const std::string &text) {
    Node node;
    node.text = text;
    node.file = place.file;
    node.line = place.line;
    node.column = place.column;
    return node;
  };
  Node *found = follow(root, key);
  bool unlimited =
      found && found->type == Node::Type::Scalar && found->text == "unlimited";
  if (!found || !(unlimited || isRecord(*found))) {
    std::vector<std::string> names;
    listRecords(root, "", names);
    throw Error(
        fmt::format("the target has no such number{}", suggestion(key, names)));
  }
  if (value == "unlimited") {
    *found = scalar(*found, value);
    return;
  }
  const Node *old = unlimited ? found : find(*found, "value");
  if (old->type != Node::Type::Scalar)
    throw Error(
        fmt::format("it is {}, expected a number or a flag", old->found()));
  Node changed = scalar(*found, "");
  changed.type = Node::Type::Map;
  auto add = [&](const char *name, const Node &item) {
    put(changed, scalar(*found, name), item);
  };
  add("value", scalar(*old, value));
  if (const Node *unit = find(*found, "unit"))
    add("unit", *unit);
  for (const Record &record : records)
    if (unlimited && record.name == key)
      add("unit", scalar(*found, record.unit));
  add("kind", scalar(*found, toString(Kind::Assumed)));
  add("source", scalar(*found, source));
  *found = std::move(changed);
  Node *sources = find(root, "sources");
  put(*sources, scalar(*sources, source),
      scalar(*sources, "changed on the command line"));
}

} // namespace neurite::yaml
