// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints while neurons move: where a unit may go now that others lie where
// they do.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_RULES_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_RULES_H

#include "compiler/mapping/constraints/Constraints.h"

#include <map>
#include <set>

namespace dendrolith {

/// Units are what moves as a whole; each is known by the atoms that it has
/// neurons of.
class Rules {
public:
  Rules(const Constraints &constraints, const MapNetwork &network,
        const Target &target);

  const std::vector<Atom> &atoms() const { return all; }
  uint32_t atomOf(uint32_t population, uint32_t neuron) const;

  /// Adds a unit, which lies nowhere yet. Units are numbered from 0 on.
  void addUnit(const std::vector<uint32_t> &atoms);
  /// Whether pins and dead cores leave it the core.
  bool allows(uint32_t unit, uint32_t core) const;
  /// Whether groups leave it the core as well.
  bool allowsNow(uint32_t unit, uint32_t core) const;
  /// Moves the unit; noCore for nowhere.
  void put(uint32_t unit, uint32_t core);
  /// The number of cores that pins leave it, dead ones among them.
  uint32_t choice(uint32_t unit) const { return units[unit].cores.count; }
  /// An entry that speaks of the unit, as messages have it; "" if none does.
  std::string entryOf(uint32_t unit) const;

private:
  struct Unit {
    CoreRange cores;
    std::vector<uint32_t> atoms, tileMates;
    std::set<std::pair<uint32_t, uint32_t>> apart; // group, member
    uint32_t core = noCore;
  };
  uint32_t placeOf(const ConstraintGroup &group, uint32_t core) const {
    return group.within == Within::Tile ? core / each : core;
  }

  const Constraints &constraints;
  const uint32_t each; // cores of a tile
  const std::vector<Atom> all;
  const std::vector<bool> dead;
  std::vector<Unit> units;
  /// Units of tile mates, by mates and tile; units of members, by group, place
  /// and member.
  std::map<uint32_t, std::map<uint32_t, uint32_t>> onTile;
  std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, uint32_t>> members;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_RULES_H
