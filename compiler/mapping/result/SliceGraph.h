// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The split network as a hypergraph: slices, and one net per source with the
// slices it sends to.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_SLICEGRAPH_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_SLICEGRAPH_H

#include "compiler/mapping/network/Demand.h"

namespace dendrolith {

constexpr uint32_t host = std::numeric_limits<uint32_t>::max();

/// Sources of one slice with the same pins are one net with their rates added;
/// that changes no cost and keeps the graph small.
struct Net {
  struct Pin {
    uint32_t slice;
    uint32_t messages; // per emission: lists of this source in that slice
  };
  uint32_t source = host; // a slice, or the host for inputs
  double rate = 0;        // emissions per tick
  std::vector<Pin> pins;  // rising slices; may include the source
};

/// Slices are numbered in order of population, then of first neuron.
struct SliceGraph {
  struct Range {
    uint32_t population, first, count;
  };
  std::vector<Range> slices;
  std::vector<Demand> demand; // of each slice
  std::vector<double> work;   // operations per tick: updates + synapses applied
  std::vector<double> toHost; // messages per tick to the host
  std::vector<Net> nets;
};

/// Solvers want a net for each set of pins. The price of a finished placement
/// needs only the sums between slices, so a net for each pair of them.
enum class Nets { ByPins, Summed };

/// Reads every list once. The network must be checked, and split.
SliceGraph buildSliceGraph(const MapNetwork &network,
                           const SynapseFormat &format,
                           const std::vector<std::vector<uint32_t>> &starts,
                           const EntryBytes &bytes = {},
                           Nets nets = Nets::ByPins);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_SLICEGRAPH_H
