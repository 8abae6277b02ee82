// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Populations into contiguous slices that each fit a core.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_SPLIT_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_SPLIT_H

#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"

#include <string>

namespace dendrolith {

/// Populations cut into slices.
struct Split {
  SliceStarts starts;
  /// By slice in order of population: the core that filling cores one after
  /// the other gives. Only from SplitStyle::Tight.
  std::vector<uint32_t> packing;
  /// Whether slices were made equal on the way. If not, SplitStyle::Full gives
  /// the same as SplitStyle::Balanced.
  bool madeEqual = false;
  std::string sender = {}; ///< which neuron sends to most slices, as a clause
};

enum class SplitStyle {
  Balanced, // as few slices as possible, equal ones where those fit
  Full,     // as few slices as possible, all but the last full
  Tight     // cores filled one after the other, so that slices pack
};

/// Splits every population. How many out-axons a neuron needs depends on how
/// its targets are split, so this repeats with the needs found until all fit;
/// assumed needs only rise and are bounded by the fan-out, so it ends. A misfit
/// when one neuron alone does not fit a core, or when all cores together have
/// not what the network needs.
Fit<Split> split(const MapNetwork &network, const Target &target,
                 SplitStyle style);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_SPLIT_H
