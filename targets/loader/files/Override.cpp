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

/// The members of a map by their names. The entries of a table are named as
/// their records are, "tiles_4", and belong to the map around the table.
static std::vector<std::pair<std::string, Node *>> membersOf(Node &map) {
  std::vector<std::pair<std::string, Node *>> members;
  for (size_t i = 0; i < map.keys.size(); ++i) {
    Node &item = map.items[i];
    members.emplace_back(map.keys[i].text, &item);
    if (item.type != Node::Type::Sequence)
      continue;
    for (Node &entry : item.items)
      if (entry.type == Node::Type::Map && !entry.keys.empty())
        members.emplace_back(
            entry.keys.front().text + "_" + entry.items.front().text, &entry);
  }
  return members;
}

/// The node at a dotted path. Names of timing sets may hold dots themselves.
static Node *follow(Node &map, const std::string &path) {
  for (const auto &[name, item] : membersOf(map)) {
    if (path == name)
      return item;
    if (path.rfind(name + ".", 0) == 0)
      if (Node *node = follow(*item, path.substr(name.size() + 1)))
        return node;
  }
  return nullptr;
}

static void listRecords(Node &map, const std::string &prefix,
                        std::vector<std::string> &names) {
  for (const auto &[name, item] : membersOf(map)) {
    if (isRecord(*item) || isWord(*item, "unlimited"))
      names.push_back(prefix + name);
    else
      listRecords(*item, prefix + name + ".", names);
  }
}

/// What a wrong key may have meant: the number that it is a part of, or one of
/// nearly its name in its section, or anywhere where there is no such section.
static std::string meant(const std::string &key,
                         const std::vector<std::string> &names) {
  const size_t tail = key.rfind('.') + 1; // 0 without one
  bool hasSection = false;
  std::vector<std::string> near;
  for (const std::string &name : names) {
    if (startsWith(key, name + "."))
      return suggestion(name, {name});
    if (tail > name.size() || !startsWith(name, key.substr(0, tail)))
      continue;
    hasSection = true;
    if (!suggestion(key.substr(tail), {name.substr(tail)}).empty())
      near.push_back(name);
  }
  return suggestion(key, hasSection ? near : names);
}

/// "add+max", or "[add, max]" as a chip is printed, as a list; "none" and "[]"
/// have no word in them.
static Node listAt(const Node &place, std::string words) {
  Node list = scalarAt(place, "");
  list.type = Node::Type::Sequence;
  std::string between = "+";
  if (words.size() > 1 && words.front() == '[' && words.back() == ']') {
    words = words.substr(1, words.size() - 2);
    between = ", ";
  }
  if (words == "none" || (words.empty() && between != "+"))
    return list;
  for (size_t at = 0; at <= words.size();) {
    size_t end = std::min(words.find(between, at), words.size());
    list.items.push_back(scalarAt(place, words.substr(at, end - at)));
    at = end + between.size();
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

/// The value of a record as the tree has it, after the form of `old`.
static Node valueAt(const Node &place, const Node &old,
                    const std::string &value) {
  Node changed = mapAt(place);
  if (old.type == Node::Type::Sequence) {
    put(changed, scalarAt(place, "value"), listAt(old, value));
    return changed;
  }
  for (const std::string between : {"..", " to "})
    if (const size_t at = value.find(between); at != std::string::npos) {
      putText(changed, "low", value.substr(0, at));
      putText(changed, "high", value.substr(at + between.size()));
      return changed;
    }
  put(changed, scalarAt(place, "value"), scalarAt(old, value));
  return changed;
}

/// Whether the record says already what `changed` does.
static bool says(const Node &record, const Node &changed) {
  for (size_t i = 0; i < changed.keys.size(); ++i) {
    const Node *now = find(record, changed.keys[i].text);
    if (!now || textOf(*now) != textOf(changed.items[i]))
      return false;
  }
  return find(record, "value") || !find(changed, "value");
}

static void drop(Node *map, const std::string &key) {
  for (size_t i = 0; map && i < map->keys.size(); ++i)
    if (map->keys[i].text == key) {
      map->keys.erase(map->keys.begin() + std::ptrdiff_t(i));
      map->items.erase(map->items.begin() + std::ptrdiff_t(i));
      return;
    }
}

/// Takes what describes the engine 'microcode' out of a chip that has none.
static void dropMicrocode(Node &root) {
  const Node *kinds = follow(root, "engines.kinds.value");
  for (const Node &kind : kinds->items)
    if (isWord(kind, "microcode"))
      return;
  drop(&root, "microcode");
  drop(find(root, "memory"), "instruction_bytes");
  if (Node *timing = find(root, "timing"))
    for (Node &set : timing->items)
      drop(&set, "microcode");
}

std::optional<std::string> replaceRecord(Node &root,
                                         const std::vector<Record> &records,
                                         const std::string &key,
                                         const std::string &value) {
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
        fmt::format("the target has no such number{}", meant(key, names)));
  }
  if (unlimited && value == "unlimited")
    return std::nullopt;
  const Node *one = unlimited ? found : find(*found, "value");
  const Node old = one ? *one : *find(*found, "low");
  const std::string was =
      one ? textOf(old) : textOf(old) + " to " + find(*found, "high")->text;
  if (value == "unlimited") {
    *found = scalarAt(*found, value);
    return was;
  }
  Node changed = valueAt(*found, old, value);
  if (!unlimited && says(*found, changed))
    return std::nullopt;
  for (const char *key : {"unit", "node"})
    if (const Node *kept = find(*found, key))
      put(changed, scalarAt(*found, key), *kept);
  for (const Record &record : records)
    if (unlimited && record.name == key)
      putText(changed, "unit", record.unit);
  *found = std::move(changed);
  sign(*found, root);
  if (key == "engines.kinds")
    dropMicrocode(root);
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
