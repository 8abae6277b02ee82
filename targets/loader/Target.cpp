// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Target.h"

#include "targets/loader/files/Discovery.h"
#include "targets/loader/files/Override.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/loader/price/CostTable.h"
#include "targets/loader/read/ChipReader.h"
#include "targets/loader/read/SectionReader.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

namespace dendrolith {

using namespace yaml;
namespace fs = std::filesystem;

// A chip as a variation of another, by a file with a `base`.

/// Whether a chip file names a `base`.
static bool hasBase(const Node &root) {
  return root.type == Node::Type::Map && find(root, "base");
}

/// A barrier has one form: another one replaces it.
static bool isOtherForm(const std::string &key, const Node &now,
                        const Node &then) {
  return (key == "barrier" || key == "management") &&
         std::any_of(then.keys.begin(), then.keys.end(),
                     [&](const auto &form) { return !find(now, form.text); });
}

/// Puts the members of the one into the other: maps are merged key by key,
/// everything else (records, lists, words) is replaced whole.
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

/// The base's tree with the members of `root` in their place, so that the
/// outcome is one whole file again; cost tables come from the base unless
/// `costs_from` says otherwise. The base is looked for beside the folder of
/// `filename`, then by name. Throws Error when it is not found or has a base
/// itself.
static Node withBase(const Node &root, const std::string &filename) {
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

/// A default that names no table would fail long after the chip was read, or
/// never, in a run that prices nothing.
static void checkDefaultCosts(const Target &target, const std::string &text) {
  std::vector<std::string> names = {target.defaultCosts};
  if (target.costBand)
    names = {target.costBand->first, target.costBand->second};
  const std::vector<std::string> known = listCostTables(target);
  for (const std::string &name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    yaml::Node root = yaml::parse(text, target.filename);
    const yaml::Node *node = yaml::find(root, "default_costs");
    yaml::fail(
        node ? *node : root,
        fmt::format("'default_costs' names '{}', but there is no "
                    "costs-{}.yaml beside the chip, expected one of {}{}",
                    name, name,
                    known.empty() ? "those there (none)" : joinWords(known),
                    suggestion(name, known)));
  }
}

using Changes = std::vector<std::pair<std::string, std::string>>;

/// The chip after the changes, which are checked together.
static Target withChanges(const Target &chip, const Changes &changes) {
  Node root = yaml::parse(chip.yamlText, chip.filename);
  std::vector<std::string> prices;
  for (const auto &[key, value] : changes) {
    const bool isPrice = startsWith(key, "costs.");
    if (const std::optional<std::string> was =
            isPrice ? priceOf(chip, key)
                    : replaceRecord(root, chip.records, key, value))
      addOverride(root, {key, value, *was});
    if (isPrice)
      prices.push_back(key);
  }
  if (!find(root, "overrides"))
    return chip;
  Target changed = {readChip(root, write(root), chip.filename)};
  for (const std::string &limit : chip.overriddenLimits)
    changed.overrideLimit(limit);
  for (const std::string &key : prices)
    checkPrices(changed, key);
  return changed;
}

/// Why the changes fail; empty where they do not.
static std::string faultOf(const Target &chip, const Changes &changes) {
  try {
    withChanges(chip, changes);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

/// The same; throws an Error that names those changes that have a part in it.
static Target changedBy(const Target &chip, const Changes &changes) {
  std::string fault;
  try {
    return withChanges(chip, changes);
  } catch (const Error &error) {
    fault = error.what();
  }
  Changes guilty = changes;
  for (size_t i = guilty.size(); i-- > 0 && guilty.size() > 1;) {
    Changes fewer = guilty;
    fewer.erase(fewer.begin() + std::ptrdiff_t(i));
    if (faultOf(chip, fewer) == fault)
      guilty = std::move(fewer);
  }
  std::string all;
  for (const auto &[key, value] : guilty)
    all += fmt::format("{}'{}' to '{}'", all.empty() ? "" : " and ",
                       printable(key), printable(value));
  throw Error(fmt::format("cannot set {}: {}", all, fault));
}

/// Cuts ",KEY=VALUE" off the end of a name or path; empty if there is none. A
/// list in brackets has commas of its own.
static std::string cutChange(std::string &name) {
  const bool isList = !name.empty() && name.back() == ']';
  size_t comma = name.rfind(',', isList ? name.rfind('[') : name.npos);
  if (comma == std::string::npos || name.find('=', comma) == std::string::npos)
    return "";
  std::string change = name.substr(comma + 1);
  name.resize(comma);
  return change;
}

Target Target::load(const std::string &given) {
  std::string nameOrPath = given;
  Changes changes;
  for (std::string change = cutChange(nameOrPath); !change.empty();
       change = cutChange(nameOrPath)) {
    size_t equals = change.find('=');
    changes.insert(changes.begin(),
                   {change.substr(0, equals), change.substr(equals + 1)});
  }
  if (!changes.empty())
    return changedBy(load(nameOrPath), changes);
  std::string path =
      isPath(nameOrPath) ? nameOrPath : findTarget(nameOrPath, "");
  std::error_code error;
  if (fs::is_directory(path.empty() ? nameOrPath : path, error) &&
      fs::exists(fs::path(nameOrPath) / "chip.yaml", error))
    path = (fs::path(nameOrPath) / "chip.yaml").string();
  if (!path.empty()) {
    std::string text = yaml::readFile(path);
    Target target = parse(text, path);
    checkDefaultCosts(target, text);
    return target;
  }
  std::vector<std::string> known = listTargets();
  if (known.empty())
    throw Error(fmt::format("unknown target '{}': no chips found, set "
                            "DENDROLITH_TARGETS to the folder that holds them",
                            nameOrPath));
  throw Error(fmt::format(
      "unknown target '{}', expected one of {} or a path to a .yaml file{}",
      nameOrPath, joinWords(known), suggestion(nameOrPath, known)));
}

Target Target::parse(const std::string &text, const std::string &filename) {
  Node root = yaml::parse(text, filename);
  if (!hasBase(root))
    return {readChip(root, text, filename)};
  Node whole = withBase(root, filename);
  return {readChip(whole, write(whole), filename)};
}

void Target::set(const std::string &key, const std::string &value) {
  *this = changedBy(*this, {{key, value}});
}

void Target::overrideLimit(const std::string &limit) {
  std::vector<std::string> names;
  auto lift = [&](const auto &keys, auto &holder) {
    for (const auto &key : keys) {
      names.push_back(key.key);
      if (limit != key.key)
        continue;
      if (!(holder.*key.field))
        return true; // there is none to lift
      holder.*key.field = std::nullopt;
      if (std::find(overriddenLimits.begin(), overriddenLimits.end(), limit) ==
          overriddenLimits.end())
        overriddenLimits.push_back(limit);
      return true;
    }
    return false;
  };
  if (lift(limitKeys(), limits) ||
      (engines.has("microcode") && lift(microcodeLimitKeys(), microcode)))
    return;
  throw Error(fmt::format("target '{}' has no limit '{}', expected one of {}{}",
                          name, limit, joinWords(names),
                          suggestion(limit, names)));
}

std::vector<std::string> targetsWith(MicroOp op) {
  std::vector<std::string> names;
  for (const std::string &name : listTargets()) {
    try {
      if (Target::load(name).microcode.has(op))
        names.push_back(name);
    } catch (const Error &) {
      continue;
    }
  }
  return names;
}

struct SharedTarget::State {
  std::string name;
  std::mutex loading;
  std::optional<Target> target;
};

SharedTarget::SharedTarget(std::string nameOrPath)
    : state(std::make_shared<State>()) {
  state->name = std::move(nameOrPath);
}

const std::string &SharedTarget::name() const { return state->name; }

const Target &SharedTarget::get() const {
  std::lock_guard<std::mutex> lock(state->loading);
  if (!state->target)
    state->target = Target::load(state->name);
  return *state->target;
}

const Target &SharedTarget::getOr(const std::string &nameOrPath) {
  if (!state)
    *this = SharedTarget(nameOrPath);
  return get();
}

} // namespace dendrolith
