// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network cut into slices, with all that is to be known of the slices to put
// them onto cores and to price the result.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_ARRANGEMENT_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_ARRANGEMENT_H

#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/result/Slices.h"

#include <memory>
#include <optional>

namespace dendrolith {

struct Arrangement {
  SliceStarts starts;
  SliceGraph graph;
  StepGraph steps;

  /// ps per step that a slice keeps its core busy.
  double workOf(size_t slice) const;
};

/// Cuts where `starts` says, and again where a slice alone exceeds a core.
/// Nothing where a neuron does. Notes whether it was out-axons that a slice or
/// all together exceed.
std::optional<Arrangement> arrange(const MapNetwork &network,
                                   const Target &target, const ChipModel &model,
                                   SliceStarts starts,
                                   bool *outOfAxons = nullptr);

/// Fills logical cores with slices one after the other, so that populations
/// that talk to each other are neighbours: the next core begins where a slice
/// does not fit or the work would exceed the even share. Nothing where that
/// takes more than `cores` cores.
std::optional<std::vector<uint32_t>>
pack(const Arrangement &arrangement, const Capacity &capacity, uint32_t cores);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_ARRANGEMENT_H
