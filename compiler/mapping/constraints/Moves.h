// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units of neurons that change cores under rules and limits.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_MOVES_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_MOVES_H

#include "compiler/mapping/cluster/Parts.h"
#include "compiler/mapping/constraints/Constraints.h"

#include <map>
#include <set>

namespace dendrolith {

// Constraints while neurons move: where a unit may go now that others lie where
// they do.

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

/// A unit is what moves as a whole: a vertex of the hypergraph, or all vertices
/// that a group keeps on one core. Parts are cores, in the order of `places`.
struct Units {
  std::vector<std::vector<uint32_t>> vertices; ///< by unit
  std::vector<uint64_t> neurons;               ///< by unit
  /// By unit, the part where it lay; none for new ones, and for those whose
  /// core is none of the parts.
  std::vector<uint32_t> home;
  std::vector<bool> isNew; ///< by unit: it lay nowhere
};

class Moves {
public:
  /// `least` and `most` are numbers of cores. `part` is by vertex, as Parts
  /// takes it. Parts that begin beyond a limit by this estimate are taken to
  /// fit as long as nothing is added, where `trusted` says so.
  Moves(cluster::CoreLimits &limits, const Units &units, Rules &rules,
        const std::vector<uint32_t> &places, cluster::Parts &parts,
        std::vector<bool> trusted, uint32_t least, uint32_t most);

  /// Puts a unit that lies nowhere, or has to go, where its messages cost least
  /// among the cores that have room; where none has, to the one that then has
  /// the least beyond its limits. False where the rules leave no core.
  bool place(uint32_t unit);
  /// Moves units off cores that are beyond a limit, until none is. False where
  /// that does not do.
  bool relieve();
  /// Moves single vertices where messages cost less, as long as no more than
  /// `maxMoves` neurons have left their homes; 0 = any number.
  void improve(uint64_t maxMoves);

  void put(uint32_t unit, uint32_t part);
  uint64_t moved() const { return movedNeurons; }
  uint32_t coresUsed() const { return used; }
  /// The part that is farthest beyond a limit; none where all are within.
  uint32_t worst() const;

private:
  uint32_t partOf(uint32_t unit) const {
    return parts.partOf(units.vertices[unit].front());
  }
  bool isOver(uint32_t part) const;
  bool mayGo(uint32_t unit, uint32_t part) const;
  uint32_t roomiest(uint32_t unit) const;
  cluster::Parts::Option bestOption(uint32_t unit, uint32_t extra);
  bool placeOne(uint32_t unit);
  bool placeMany(uint32_t unit);

  cluster::CoreLimits &limits;
  const Units &units;
  Rules &rules;
  const std::vector<uint32_t> &places;
  cluster::Parts &parts;
  std::vector<double> tolerated; // by part: excess that is none
  std::vector<uint32_t> unitsOn; // by part
  std::vector<uint32_t> lies;    // by unit: its part, as counted
  uint32_t used = 0;             // parts with units
  const uint32_t least, most;
  uint64_t movedNeurons = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_MOVES_H
