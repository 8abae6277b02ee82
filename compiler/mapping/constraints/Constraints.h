// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user asks of a mapping besides that it fits: which neurons lie where,
// what stays together or apart, which cores are dead, what room stays free.
// Neurons have the numbers of the model. ConstraintsFile.h reads them.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINTS_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINTS_H

#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/result/Mapping.h"

#include <optional>

namespace dendrolith {

/// Neurons [first, first + count) of a population.
struct NeuronRange {
  uint32_t population = 0, first = 0, count = 0;
  uint32_t end() const { return first + count; }
};

bool overlap(const NeuronRange &a, const NeuronRange &b);

/// Cores [first, first + count): one, those of a tile, or all.
struct CoreRange {
  uint32_t first = 0, count = 0;
  uint32_t end() const { return first + count; }
  bool has(uint32_t core) const { return core >= first && core < end(); }
};

/// Empty where they have none in common.
CoreRange common(const CoreRange &a, const CoreRange &b);

/// An entry of the file, for messages.
struct Stated {
  std::string place; ///< file:line:column
  std::string text;  ///< "pin of 'a' to core 3"
  int line = 0;
};

struct Pin : Stated {
  NeuronRange neurons;
  CoreRange cores;
};

enum class Within { Core, Tile };

/// Members that lie on one core or tile; or, apart, no two of which have
/// neurons on the same one.
struct ConstraintGroup : Stated {
  std::vector<NeuronRange> members;
  Within within = Within::Core;
};

struct Forbidden : Stated {
  CoreRange cores;
};

/// Room that stays free, on one core or on each.
struct Reserve : Stated {
  std::optional<uint32_t> core;
  std::array<uint64_t, numSums> room{};
};

struct Constraints {
  std::vector<Pin> pins;
  std::vector<ConstraintGroup> together, apart;
  std::vector<Forbidden> forbidden;
  std::vector<Reserve> reserves;

  /// By core of the target, whether it is forbidden.
  std::vector<bool> forbiddenCores(const Target &target) const;
  /// By core of the target, what it has besides what is reserved on it; nothing
  /// where it is forbidden.
  std::vector<Capacity> capacities(const Target &target) const;
  /// Cores that pins leave to every neuron of the range and that are not
  /// forbidden, rising. Groups are left out: see atomsOf().
  std::vector<uint32_t> allowedCores(const Target &target,
                                     const NeuronRange &neurons) const;
};

/// Neurons about which the constraints say the same. Those that no group keeps
/// on one core may still be divided.
struct Atom {
  NeuronRange neurons;
  /// The lowest atom of those that it lies on one core with, and of those that
  /// it lies on one tile with; itself if there are none.
  uint32_t coreMate = 0, tileMate = 0;
  bool oneCore = false; ///< all of it lies on one core
  bool oneTile = false; ///< all of it lies on one tile
  /// Where pins and groups leave it, forbidden cores among them; empty for a
  /// contradiction.
  CoreRange cores;
};

/// All neurons of the network in order, with what groups make of the pins: if
/// one atom is pinned, so are its mates.
std::vector<Atom> atomsOf(const Constraints &constraints,
                          const MapNetwork &network, const Target &target);

/// Indices of the atoms that a range of an entry is made of.
std::vector<uint32_t> atomsIn(const std::vector<Atom> &atoms,
                              const NeuronRange &neurons);

/// The chip with so much less room on each core as is reserved on all of them.
Target withoutReserves(const Target &target, const Constraints &constraints);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINTS_H
