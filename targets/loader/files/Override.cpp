// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/files/Override.h"

#include "targets/loader/chip/Counters.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::yaml {

static const char *const kSource = "command line";

static bool isWord(const Node &node, const char *word) {
  return node.type == Node::Type::Scalar && node.text == word;
}

static Node scalarAt(const Node &place, const std::string &text) {
  Node node;
  node.text = text;
  node.file = place.file;
  node.line = place.line;
  node.column = place.column;
  return node;
}

/// A map without members that stands where `place` does.
static Node mapAt(const Node &place) {
  Node map = scalarAt(place, "");
  map.type = Node::Type::Map;
  return map;
}

static void putText(Node &map, const char *key, const std::string &text) {
  put(map, scalarAt(map, key), scalarAt(map, text));
}

/// Says in a record, and in the `sources` of its file, who gave the number.
static void sign(Node &record, Node &root) {
  putText(record, "kind", toString(Provenance::Assumed));
  putText(record, "source", kSource);
  if (Node *sources = find(root, "sources"))
    putText(*sources, kSource, "changed on the command line");
}

//===----------------------------------------------------------------------===//
// Records
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
    if (isRecord(map.items[i]) || isWord(map.items[i], "unlimited"))
      names.push_back(name);
    else
      listRecords(map.items[i], name + ".", names);
  }
}

/// "add+max" as a list; "none" has no word in it.
static Node listAt(const Node &place, const std::string &words) {
  Node list = scalarAt(place, "");
  list.type = Node::Type::Sequence;
  if (words == "none")
    return list;
  for (size_t at = 0; at <= words.size();) {
    size_t end = std::min(words.find('+', at), words.size());
    list.items.push_back(scalarAt(place, words.substr(at, end - at)));
    at = end + 1;
  }
  return list;
}

static std::string textOf(const Node &value) {
  if (value.type != Node::Type::Sequence)
    return value.text;
  std::vector<std::string> words;
  for (const Node &item : value.items)
    words.push_back(item.text);
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, "+"));
}

std::string replaceRecord(Node &root, const std::vector<Record> &records,
                          const std::string &key, const std::string &value) {
  Node *found = follow(root, key);
  bool unlimited = found && isWord(*found, "unlimited");
  if (!found || !(unlimited || isRecord(*found))) {
    if (key.rfind("board.", 0) == 0 && !find(root, "board"))
      throw Error("the target has no section 'board', which says what links "
                  "between its chips take; give it one in a file with 'base: "
                  "<target>'");
    std::vector<std::string> names;
    listRecords(root, "", names);
    throw Error(
        fmt::format("the target has no such number{}", suggestion(key, names)));
  }
  const Node *one = unlimited ? found : find(*found, "value");
  const Node old = one ? *one : *find(*found, "low");
  const std::string was =
      one ? textOf(old) : textOf(old) + " to " + find(*found, "high")->text;
  if (value == "unlimited") {
    *found = scalarAt(*found, value);
    return was;
  }
  Node changed = mapAt(*found);
  put(changed, scalarAt(*found, "value"),
      old.type == Node::Type::Sequence ? listAt(old, value)
                                       : scalarAt(old, value));
  if (const Node *unit = find(*found, "unit"))
    put(changed, scalarAt(*found, "unit"), *unit);
  for (const Record &record : records)
    if (unlimited && record.name == key)
      putText(changed, "unit", record.unit);
  *found = std::move(changed);
  sign(*found, root);
  return was;
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// One decision, as against a map of the members of a group.
static bool isDecision(const Node &node) {
  return node.type != Node::Type::Map || find(node, "value") ||
         find(node, "in");
}

static std::string priceText(const Node &node) {
  if (node.type != Node::Type::Map)
    return node.text;
  if (const Node *value = find(node, "value"))
    return value->text;
  if (const Node *holder = find(node, "in"))
    return "in " + holder->text;
  std::vector<std::string> members;
  for (size_t i = 0; i < node.keys.size(); ++i)
    members.push_back(node.keys[i].text + " " + priceText(node.items[i]));
  return joinWords(members);
}

/// The place of an event's decision; a group that has one decision is spread
/// over its members when only one of them is meant.
static Node *decisionOf(Node &events, const std::string &event) {
  if (Node *whole = find(events, event))
    return whole;
  size_t dot = event.find('.');
  Node *group =
      dot == std::string::npos ? nullptr : find(events, event.substr(0, dot));
  if (eventLeaves(event).empty())
    return nullptr;
  if (std::optional<Counter> silent = counterOf(event);
      !group && silent && isRare(*silent)) {
    put(events, scalarAt(events, event), scalarAt(events, "unpriced"));
    return find(events, event);
  }
  if (!group)
    return nullptr;
  if (isDecision(*group)) {
    Node members = mapAt(*group);
    for (const std::string &leaf : eventLeaves(event.substr(0, dot)))
      put(members, scalarAt(*group, leaf.substr(dot + 1)), *group);
    *group = std::move(members);
  }
  return find(*group, event.substr(dot + 1));
}

std::string replacePrice(Node &table, const std::string &event,
                         const std::string &value) {
  const bool isStatic = event == "static";
  Node *events = find(table, "events");
  Node *found = isStatic ? find(table, "static")
                : events ? decisionOf(*events, event)
                         : nullptr;
  if (!found) {
    std::vector<std::string> known = {"static"};
    for (size_t i = 0; events && i < events->keys.size(); ++i)
      known.push_back(events->keys[i].text);
    throw Error(fmt::format("the cost table decides no such event{}",
                            suggestion(event, known)));
  }
  const std::string was = priceText(*found);
  if (value == "unpriced") {
    *found = scalarAt(*found, value);
    return was;
  }
  Node changed = mapAt(*found);
  putText(changed, "value", value);
  putText(changed, "unit", isStatic ? "mW" : "pJ");
  if (isStatic)
    putText(changed, "per", "chip");
  *found = std::move(changed);
  sign(*found, table);
  return was;
}

//===----------------------------------------------------------------------===//
// The list of changes
//===----------------------------------------------------------------------===//

std::vector<Override> readOverrides(const Node &node) {
  if (node.type != Node::Type::Sequence)
    fail(node, "expected a list of {key, value, was} for 'overrides', found " +
                   node.found());
  std::vector<Override> changes;
  for (const Node &item : node.items) {
    Fields fields(item, "overrides", {"key", "value", "was"});
    changes.push_back({readText(fields.at("key"), "key"),
                       readText(fields.at("value"), "value"),
                       readText(fields.at("was"), "was")});
  }
  return changes;
}

void addOverride(Node &root, const Override &change) {
  Node *list = find(root, "overrides");
  if (!list) {
    Node empty = scalarAt(root, "");
    empty.type = Node::Type::Sequence;
    put(root, scalarAt(root, "overrides"), empty);
    list = find(root, "overrides");
  }
  for (Node &item : list->items)
    if (find(item, "key")->text == change.key)
      return putText(item, "value", change.value);
  Node item = mapAt(root);
  putText(item, "key", change.key);
  putText(item, "value", change.value);
  putText(item, "was", change.was);
  list->items.push_back(std::move(item));
}

} // namespace dendrolith::yaml
