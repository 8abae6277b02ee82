// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/price/Varies.h"

#include "targets/loader/price/Structure.h"

#include <fmt/format.h>

#include <cmath>

namespace dendrolith::yaml {

static double readRealOr(const Fields &fields, const char *key, double absent,
                         double most) {
  const Node *node = fields.find(key);
  if (!node)
    return absent;
  const double value = readReal(*node, key);
  if (value > most)
    fail(*node, fmt::format("'{}' is too large ({}), expected 0 to {}", key,
                            node->text, most));
  return value;
}

static void readOne(const Node &node, const Sources &sources,
                    const Chip &target, Variation &so) {
  Fields fields(node, "varies", {"with", "at", "kind", "source"},
                {"power", "share", "note"});
  std::vector<std::string> names;
  for (const StructureName &structure : structureNames())
    names.push_back(structure.name);
  const std::string with = readWord(fields.at("with"), "with", names);
  const double at = readReal(fields.at("at"), "at");
  if (at <= 0)
    fail(fields.at("at"), fmt::format("'at' is 0, expected the {} of the chip "
                                      "that the price was stated for",
                                      with));
  const double power = readRealOr(fields, "power", 1, 3);
  const double share = readRealOr(fields, "share", 1, 1);
  const Kind kind = readKind(fields.at("kind"));
  if (kind != Kind::Scaled && kind != Kind::Assumed)
    fail(fields.at("kind"), "a law of scaling is 'scaled' or 'assumed'");
  readSource(fields.at("source"), sources);
  const std::optional<double> quantity = structureOf(target, with);
  if (!quantity || *quantity == at)
    return;
  so.factor *= 1 + share * (std::pow(*quantity / at, power) - 1);
  if (so.kind != Kind::Assumed)
    so.kind = kind;
}

Variation readVariation(const Node &node, const Sources &sources,
                        const Chip &target) {
  Variation variation;
  if (node.type == Node::Type::Sequence)
    for (const Node &item : node.items)
      readOne(item, sources, target, variation);
  else
    readOne(node, sources, target, variation);
  return variation;
}

double vary(double value, double factor) {
  constexpr double digits = 1e9;
  return factor == 1 ? value : std::round(value * factor * digits) / digits;
}

} // namespace dendrolith::yaml
