// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a chip asks for: the times of a timing set and the prices of a cost
// table, as the mapper's objective takes them.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_CHIPMODEL_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_CHIPMODEL_H

#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/Network.h"

#include "targets/loader/Target.h"

#include <string>

namespace dendrolith {

/// Prices in pJ, 0 for what another price contains or nobody knows.
struct Prices {
  double send = 0;    // of a message that is sent: messages
  double message = 0; // of one that is delivered: within_tile, axon_reads
  double hopEw = 0, hopNs = 0, crossing = 0;
  double spike = 0;           // of an emission
  double synop = 0, word = 0; // an entry of a list; a word read for it
  double updateActive = 0, updateInactive = 0;
  double barrier = 0;
  double issue = 0; // of an instruction
  std::array<double, kMicroClasses> element{};
  double staticMilliwatts = 0; // of each chip
};

class ChipModel {
public:
  /// The sets and tables by their names, "" for the target's own; of a band of
  /// tables the mean of both ends. A target without prices has none. Throws
  /// Error for names that it does not know.
  ChipModel(const Target &target, const std::string &timing = "",
            const std::string &costs = "");

  TimingSet timing;
  Prices prices;
  /// Whether anything that happens on a step has a price.
  bool priced = false;
  std::string timingName, costsName;

  /// How long a core serves a message to a list, in ps.
  double serviceOf(const ListPlan &list, bool convolution) const;

  /// What one run of a neuron's program takes, in ps and in pJ, without its
  /// visit.
  double timeOf(const ProgramWork &work) const;
  double energyOf(const ProgramWork &work) const;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_CHIPMODEL_H
