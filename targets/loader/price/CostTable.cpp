// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/price/CostTable.h"

#include "targets/loader/files/Discovery.h"
#include "targets/loader/files/Override.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/loader/price/Varies.h"
#include "targets/loader/yaml/RecordReader.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace dendrolith {

using namespace yaml;

const char *toString(PriceBound bound) {
  switch (bound) {
  case PriceBound::None:
    return "none";
  case PriceBound::Min:
    return "min";
  case PriceBound::Max:
    return "max";
  }
  return "";
}

/// Makes of a price what it is on this chip and at this supply.
static void applyStructure(const Fields &fields, const Sources &sources,
                           const Chip &target, double supply, double &value,
                           Provenance &kind) {
  if (const Node *varies = fields.find("varies")) {
    const Variation variation = readVariation(*varies, sources, target);
    value = vary(value, variation.factor);
    kind = variation.kind.value_or(kind);
  }
  if (supply == 1)
    return;
  value = vary(value, supply);
  kind = Provenance::Assumed;
}

namespace {

/// A decision and where it stands, until all `in:` are checked.
struct DecidedEvent {
  Price price;
  const Node *node = nullptr;
};

class EventReader {
public:
  EventReader(const Sources &sources, const Chip &target)
      : sources(sources), target(target) {}

  void read(const Node &node) {
    if (node.type != Node::Type::Map)
      fail(node, "expected a map from events to prices for 'events', found " +
                     node.found());
    for (size_t i = 0; i < node.keys.size(); ++i)
      readEntry(node.keys[i], node.items[i]);
  }

  /// Every `in:` must name events with a price of their own.
  void checkInsides() const {
    for (const auto &[event, entry] : entries)
      checkInside(event, entry);
  }

  std::map<std::string, DecidedEvent> entries; // by leaf

private:
  void readEntry(const Node &key, const Node &node) {
    const std::string &name = key.text;
    std::vector<std::string> leaves;
    // Members are written as an object, so that no leaf can be named twice.
    if (name.find('.') == std::string::npos)
      leaves = eventLeaves(name);
    if (leaves.empty())
      fail(key,
           fmt::format("unknown event {}, expected one of {}{}", key.found(),
                       joinWords(topLevel()), suggestion(name, topLevel())));
    if (leaves.front() == name || isDecision(node)) {
      Price price = readPrice(name, node);
      for (const std::string &leaf : leaves)
        entries[leaf] = {price, &node};
      return;
    }
    std::vector<std::string> members;
    for (const std::string &leaf : leaves)
      members.push_back(leaf.substr(name.size() + 1));
    Fields fields(node, name, {}, members);
    for (const std::string &member : members)
      if (const Node *item = fields.find(member)) {
        std::string leaf = name + "." + member;
        entries[leaf] = {readPrice(leaf, *item), item};
      }
  }

  /// One decision for a whole group, as against an object of its members.
  static bool isDecision(const Node &node) {
    if (node.type != Node::Type::Map)
      return true;
    return std::any_of(node.keys.begin(), node.keys.end(), [](const Node &key) {
      return key.text == "value" || key.text == "in" || key.text == "unit" ||
             key.text == "unpriced";
    });
  }

  Price readPrice(const std::string &event, const Node &node) const {
    Price price;
    if (node.type != Node::Type::Map) {
      if (node.type == Node::Type::Scalar && node.text == "unpriced")
        return price;
      fail(node, fmt::format(
                     "expected {{value, unit, kind, source}}, {{in, kind, "
                     "source}} or unpriced for '{}', found {}{}",
                     event, node.found(), suggestion(node.text, {"unpriced"})));
    }
    bool inside = false, priced = false;
    for (const Node &key : node.keys) {
      inside |= key.text == "in";
      priced |= key.text == "value";
    }
    if (inside && priced)
      fail(node, fmt::format("'{}' has both a value and 'in', expected exactly "
                             "one: its energy would count twice",
                             event));
    if (inside) {
      Fields fields(node, event, {"in", "kind", "source"}, {"note"});
      price.form = Price::Decision::Inside;
      price.inside = readText(fields.at("in"), "in");
      price.kind = readKind(fields.at("kind"));
      price.source = readSource(fields.at("source"), sources);
      return price;
    }
    Fields fields(node, event, {"value", "unit", "kind", "source"},
                  {"bound", "varies", "note"});
    price.form = Price::Decision::Priced;
    price.value = readReal(fields.at("value"), event);
    readWord(fields.at("unit"), "unit", {"pJ"});
    price.kind = readKind(fields.at("kind"));
    applyStructure(fields, sources, target,
                   target.voltage ? target.voltage->energy() : 1, price.value,
                   price.kind);
    price.source = readSource(fields.at("source"), sources);
    if (const Node *bound = fields.find("bound")) {
      std::string word = readWord(*bound, "bound", {"none", "min", "max"});
      price.bound = word == "min"   ? PriceBound::Min
                    : word == "max" ? PriceBound::Max
                                    : PriceBound::None;
    }
    return price;
  }

  /// An event inside another must end at a price, in one step.
  void checkInside(const std::string &event, const DecidedEvent &entry) const {
    if (entry.price.form != Price::Decision::Inside)
      return;
    const std::string &holder = entry.price.inside;
    const Node &place =
        Fields(*entry.node, event, {"in"}, {"kind", "source", "note"}).at("in");
    std::vector<std::string> leaves = eventLeaves(holder);
    if (leaves.empty())
      fail(place,
           fmt::format("'{}' is said to be in {}, which is no event{}", event,
                       place.found(), suggestion(holder, topLevel())));
    std::set<std::string> seen;
    if (reaches(event, event, seen))
      fail(place, fmt::format("'{}' is said to be in '{}', which leads back to "
                              "'{}'",
                              event, holder, event));
    for (const std::string &leaf : leaves) {
      auto found = entries.find(leaf);
      if (found == entries.end() ||
          found->second.price.form != Price::Decision::Priced)
        fail(place, fmt::format("'{}' is said to be in '{}', but '{}' has no "
                                "price of its own",
                                event, holder, leaf));
    }
  }

  /// Whether following `in:` from `from` comes to `to`.
  bool reaches(const std::string &from, const std::string &to,
               std::set<std::string> &seen) const {
    auto found = entries.find(from);
    if (found == entries.end() ||
        found->second.price.form != Price::Decision::Inside ||
        !seen.insert(from).second)
      return false;
    for (const std::string &next : eventLeaves(found->second.price.inside))
      if (next == to || reaches(next, to, seen))
        return true;
    return false;
  }

  static std::vector<std::string> topLevel() {
    std::vector<std::string> names;
    for (const std::string &event : allEvents()) {
      std::string top = event.substr(0, event.find('.'));
      if (names.empty() || names.back() != top)
        names.push_back(top);
    }
    return names;
  }

  const Sources &sources;
  const Chip &target;
};

std::optional<StaticPower> readStatic(const Node &node, const Sources &sources,
                                      const Chip &target) {
  if (node.type == Node::Type::Scalar) {
    readWord(node, "static", {"unpriced"});
    return std::nullopt;
  }
  Fields fields(node, "static", {"value", "unit", "per", "kind", "source"},
                {"varies", "note"});
  StaticPower power;
  power.milliwatts = readReal(fields.at("value"), "static");
  readWord(fields.at("unit"), "unit", {"mW"});
  readWord(fields.at("per"), "per", {"chip"});
  power.kind = readKind(fields.at("kind"));
  power.source = readSource(fields.at("source"), sources);
  applyStructure(fields, sources, target,
                 target.voltage ? target.voltage->leak() : 1, power.milliwatts,
                 power.kind);
  return power;
}

} // namespace

/// Gives events the prices that the target's overrides say; whether any does.
static bool applyOverrides(Node &root, const Chip &target) {
  const Node *name = find(root, "name");
  if (root.type != Node::Type::Map || !name)
    return false;
  const std::string start = "costs." + name->text + ".";
  bool changed = false;
  for (const Override &change : target.overrides)
    if (change.key.rfind(start, 0) == 0) {
      replacePrice(root, change.key.substr(start.size()), change.value);
      changed = true;
    }
  return changed;
}

/// The tree of a text. A study prices one chip thousands of times with the same
/// few files, and reading YAML is most of the time that this takes.
static Node treeOf(const std::string &text, const std::string &filename) {
  struct Known {
    std::string text, filename;
    Node root;
  };
  constexpr size_t kMost = 4; // a band has two
  thread_local std::vector<Known> recent;
  for (const Known &each : recent)
    if (each.text == text && each.filename == filename)
      return each.root;
  if (recent.size() == kMost)
    recent.erase(recent.begin());
  recent.push_back({text, filename, yaml::parse(text, filename)});
  return recent.back().root;
}

CostTable CostTable::parse(const std::string &written,
                           const std::string &filename, const Chip &target) {
  Node root = treeOf(written, filename);
  const std::string text =
      applyOverrides(root, target) ? yaml::write(root) : written;
  Fields fields(root, "cost table",
                {"name", "description", "family", "voltage", "scope", "sources",
                 "events", "static"},
                {"band"});
  CostTable table;
  table.yamlText = text;
  table.hash = sha256(text);
  table.filename = filename;
  table.name = readText(fields.at("name"), "name");
  table.description = readText(fields.at("description"), "description");
  table.family = readText(fields.at("family"), "family");
  table.voltage = readText(fields.at("voltage"), "voltage");
  table.scope = readWord(fields.at("scope"), "scope", {"per-term", "all-in"});
  table.sources = readSources(fields.at("sources"));
  if (const Node *band = fields.find("band"))
    table.band = readWord(*band, "band", {"low", "high"}) == "low"
                     ? BandEnd::Low
                     : BandEnd::High;

  EventReader reader(table.sources, target);
  reader.read(fields.at("events"));
  for (const std::string &event : target.events())
    if (!reader.entries.count(event))
      fail(fields.at("events"),
           fmt::format("no decision about event '{}', which target '{}' can "
                       "produce, expected a price, 'in: <event>' or unpriced",
                       event, target.name));
  reader.checkInsides();
  if (table.scope == "all-in")
    for (const char *hop : {"hops_ew", "hops_ns"})
      if (reader.entries.count(hop) &&
          reader.entries.at(hop).price.form == Price::Decision::Priced)
        fail(*reader.entries.at(hop).node,
             fmt::format("'{}' has a price of its own in a table of scope "
                         "'all-in', whose prices hold the way of a spike "
                         "already; expected 'in: <event>' or unpriced, or "
                         "scope 'per-term'",
                         hop));
  for (const std::string &event : allEvents())
    if (reader.entries.count(event))
      table.prices.emplace_back(event, reader.entries.at(event).price);
  table.staticPower = readStatic(fields.at("static"), table.sources, target);
  return table;
}

CostTable CostTable::load(const std::string &nameOrPath, const Chip &target) {
  if (isPath(nameOrPath))
    return parse(yaml::readFile(nameOrPath), nameOrPath, target);
  if (nameOrPath.empty() && target.costBand)
    throw Error(fmt::format("target '{}' has no single cost table, only a band "
                            "from '{}' to '{}': price with both, or name one",
                            target.name, target.costBand->first,
                            target.costBand->second));
  const std::string &name =
      nameOrPath.empty() ? target.defaultCosts : nameOrPath;
  if (std::string path = isName(name) ? costFile(target, name) : "";
      !path.empty())
    return parse(yaml::readFile(path), path, target);
  std::vector<std::string> known = listCostTables(target);
  throw Error(fmt::format("target '{}' has no cost table '{}', expected one of "
                          "{} or a path to a .yaml file{}",
                          target.name, name, joinWords(known),
                          suggestion(name, known)));
}

std::pair<CostTable, CostTable> CostTable::loadBand(const Chip &target) {
  if (!target.costBand)
    throw Error(fmt::format("target '{}' has no band of cost tables, its "
                            "default is '{}'",
                            target.name, target.defaultCosts));
  CostTable low = load(target.costBand->first, target);
  CostTable high = load(target.costBand->second, target);
  if (low.band != BandEnd::Low || high.band != BandEnd::High)
    throw Error(fmt::format("{} must say 'band: low' and {} 'band: high', "
                            "target '{}' names them as the ends of its band",
                            low.filename, high.filename, target.name));
  // A price inside another is nothing of its own.
  auto value = [](const Price &price) {
    return price.form == Price::Decision::Priced ? price.value : 0;
  };
  for (const std::string &event : target.events()) {
    const Price &a = *low.find(event), &b = *high.find(event);
    if ((a.form == Price::Decision::Unpriced) !=
        (b.form == Price::Decision::Unpriced))
      throw Error(fmt::format("event '{}' is unpriced in only one of {} and {}",
                              event, low.filename, high.filename));
    if (value(a) > value(b))
      throw Error(fmt::format("event '{}' costs {} pJ in {}, the low end, but "
                              "{} pJ in {}",
                              event, value(a), low.filename, value(b),
                              high.filename));
  }
  return {std::move(low), std::move(high)};
}

const Price *CostTable::find(const std::string &event) const {
  for (const auto &[name, price] : prices)
    if (name == event)
      return &price;
  return nullptr;
}

const std::string &CostTable::citation(const std::string &key) const {
  for (const auto &[name, text] : sources)
    if (name == key)
      return text;
  throw Error(fmt::format("cost table '{}' has no source '{}'", name, key));
}

bool CostTable::matches(const TimingSet &timing) const {
  return family == "any" || timing.family == "any" || family == timing.family;
}

void checkPrices(const Chip &target, const std::string &key) {
  CostTable table = CostTable::load(splitPriceKey(target, key).first, target);
  if (table.band != BandEnd::None && target.costBand)
    CostTable::loadBand(target);
}

} // namespace dendrolith
