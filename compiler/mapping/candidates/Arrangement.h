// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network cut into slices, with all that is to be known of the slices to put
// them onto cores and to price the result.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_ARRANGEMENT_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_ARRANGEMENT_H

#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/result/Mapping.h"

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

// Populations into parts of about equal work, as many as there shall be cores.

/// The work of neurons up to each, by population: one entry more than neurons.
using WorkSums = std::vector<std::vector<double>>;
WorkSums sumUp(const std::vector<std::vector<double>> &loads);

/// Cuts each population into parts of equal work. No part has more than a
/// core's share, and there are so few that `cores` cores, filled one after the
/// other, hold all of them. `least` is the number of parts that each population
/// has at least, because fewer do not fit. More than `cores` cores come out
/// where those alone need more.
SliceStarts cutByWork(const WorkSums &sums, const std::vector<uint32_t> &least,
                      uint32_t cores);

/// Halves slice k of a population.
void halve(std::vector<uint32_t> &starts, size_t k);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_ARRANGEMENT_H
