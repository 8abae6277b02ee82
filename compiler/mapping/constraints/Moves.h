// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units of neurons that change cores under rules and limits.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_MOVES_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_MOVES_H

#include "compiler/mapping/cluster/Parts.h"
#include "compiler/mapping/constraints/Rules.h"

namespace dendrolith {

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
