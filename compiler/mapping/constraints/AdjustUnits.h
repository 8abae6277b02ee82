// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units of neurons that an adjustment moves, where they lay, and the cores
// that they may go to.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUSTUNITS_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUSTUNITS_H

#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/constraints/Moves.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/objective/ChipModel.h"

namespace dendrolith {

struct Beginning {
  NeuronCores cores; ///< by population; noCore for neurons that have none yet
  /// Neurons that may have another core in the end; 0 = any number.
  uint64_t maxMoves = 0;
  std::string how; ///< of the row in the report's trade-off
};

/// The arguments of adjust(), which must outlive this, and what they say of the
/// neurons. Populations with shared lists are in ranges of one core each.
class AdjustUnits {
public:
  AdjustUnits(const MapNetwork &given, const Target &target,
              const MappingOptions &options, const ChipModel &model,
              const Constraints &constraints, const Beginning &beginning);

  const MapNetwork &given;
  const Target &target;
  const MappingOptions &options;
  const ChipModel &model;
  const Constraints &constraints;
  const Beginning &beginning;
  const Target room; ///< the target less what is reserved on all cores
  Rules rules;
  ClusterOptions cluster;
  const NeuronOrder order; ///< of `network`, which keeps ranges together
  const Reordered inOrder;
  const MapNetwork &network = *inOrder;
  cluster::CoreLimits limits;
  const cluster::Vertices vertices;
  cluster::Hypergraph graph;
  std::vector<uint32_t> places; ///< cores that neurons may be on, rising
  Units units;
  std::vector<uint32_t> displaced; ///< units that have to be placed

  /// The most cores that are allowed.
  uint32_t most() const;
  /// The part of each vertex: units stay where they lay, if they may, and those
  /// of a dead core go to an idle one. Units that have to be placed are in
  /// `displaced` then.
  std::vector<uint32_t> atHome();
  /// Room that stays free is a vertex that takes it.
  void reserveOn(uint32_t core, const Reserve &reserve,
                 std::vector<uint32_t> &part, std::vector<bool> &trusted);
  /// A neuron of the unit, as messages name it.
  std::string nameOf(uint32_t unit) const;

private:
  uint32_t modelOf(uint32_t p, uint32_t n) const {
    return order[p].empty() ? n : order[p][n];
  }
  uint32_t homeOf(uint32_t p, uint32_t n) const {
    return beginning.cores[p][modelOf(p, n)];
  }
  uint32_t partAt(uint32_t core) const;
  NeuronOrder orderOfRanges();
  cluster::Vertices makeVertices();
  void choosePlaces();
  void makeUnits();
  uint32_t nearestIdle(uint32_t core, const std::map<uint32_t, uint64_t> &held,
                       const std::map<uint32_t, uint32_t> &instead) const;

  std::vector<uint32_t> cores; // by unit, where it lay
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUSTUNITS_H
