// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores and links that steps wait for, with the cause.

#ifndef DENDROLITH_COMPILER_MAPPING_EXPLAIN_HOTSPOTS_H
#define DENDROLITH_COMPILER_MAPPING_EXPLAIN_HOTSPOTS_H

#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/result/Mapping.h"

namespace dendrolith {

/// A mapping with what its slices do. Nothing is copied.
struct PlacedSlices {
  const MapNetwork &network;
  const Target &target;
  const ChipModel &model;
  const std::vector<Slice> &slices; ///< as byNeuron() orders them
  const SliceCores &cores;
  const StepGraph &graph;
  const NeuronOrder &order; ///< of the model's neurons, as Mapping has it
};

/// The five cores that close steps last, then the five fullest links. Where one
/// source makes half of what a core serves or a link carries, it is named.
std::vector<Hotspot> hotspots(const PlacedSlices &on, Loads loads);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_EXPLAIN_HOTSPOTS_H
