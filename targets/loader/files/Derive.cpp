// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/files/Derive.h"

#include "targets/loader/files/Discovery.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::yaml {

bool hasBase(const Node &root) {
  return root.type == Node::Type::Map && find(root, "base");
}

/// A barrier has one form: another one replaces it.
static bool isOtherForm(const std::string &key, const Node &now,
                        const Node &then) {
  return (key == "barrier" || key == "management") &&
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
    fail(name, fmt::format("no target '{}' to build on, expected one of {}{}",
                           base, joinWords(listTargets()),
                           suggestion(base, listTargets())));
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

} // namespace dendrolith::yaml
