// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/price/Varies.h"
#include "targets/loader/chip/Area.h"

#include <fmt/format.h>

#include <cmath>

namespace dendrolith {

const std::vector<StructureName> &structureNames() {
  static const std::vector<StructureName> names = {
      {"memory_bits", "bits"}, {"lanes", "elements"},   {"word_bits", "bits"},
      {"state_bits", "bits"},  {"weight_bits", "bits"}, {"flit_bits", "bits"},
      {"cores", "cores"},      {"tiles", "tiles"},      {"tile_side", "um"},
      {"leakage_low", "nW"},   {"leakage_high", "nW"},
  };
  return names;
}

static std::optional<double> memoryBits(const Chip &target) {
  const auto memories = memoriesOf(target);
  if (!memories)
    return std::nullopt;
  uint64_t bits = 0;
  for (const MemoryBits &memory : *memories)
    bits += memory.bits;
  return double(bits);
}

/// The side of a square tile, router included, in um.
static std::optional<double> tileSide(const Chip &target) {
  const auto silicon = siliconOf(target, target.timing());
  if (!silicon)
    return std::nullopt;
  const double area = (silicon->core.low + silicon->core.high) / 2 *
                      double(target.mesh.coresPerTile); // mm2
  return std::round(1000 * std::sqrt(area));
}

/// At the nominal supply, for the supply has a law of its own.
static std::optional<double> leakage(const Chip &target, bool high) {
  const auto band = leakageOf(target, target.timing());
  if (!band)
    return std::nullopt;
  const double supply = target.voltage ? target.voltage->leak() : 1;
  return std::round(1e6 * (high ? band->high : band->low) / supply); // of mW
}

std::optional<double> structureOf(const Chip &target, const std::string &name) {
  const bool programs = target.engines.has("microcode");
  if (name == "memory_bits")
    return memoryBits(target);
  if (name == "lanes" || name == "word_bits") {
    if (!programs)
      return std::nullopt;
    return double(name == "lanes" ? target.microcode.lanes
                                  : target.microcode.wordBits);
  }
  if (name == "state_bits")
    return double(target.formats.stateBits);
  if (name == "weight_bits")
    return double(target.formats.weightBits);
  if (name == "flit_bits")
    return double(target.mesh.flitBits);
  if (name == "cores")
    return double(target.coresPerChip());
  if (name == "tiles")
    return double(target.mesh.tilesPerChip());
  if (name == "tile_side")
    return tileSide(target);
  if (name == "leakage_low" || name == "leakage_high")
    return leakage(target, name == "leakage_high");
  return std::nullopt;
}

} // namespace dendrolith

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
  const Provenance kind = readKind(fields.at("kind"));
  if (kind != Provenance::Scaled && kind != Provenance::Assumed)
    fail(fields.at("kind"), "a law of scaling is 'scaled' or 'assumed'");
  readSource(fields.at("source"), sources);
  const std::optional<double> quantity = structureOf(target, with);
  if (!quantity || *quantity == at)
    return;
  so.factor *= 1 + share * (std::pow(*quantity / at, power) - 1);
  if (so.kind != Provenance::Assumed)
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
