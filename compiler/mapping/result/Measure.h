// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finished mapping takes.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_MEASURE_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_MEASURE_H

#include "compiler/mapping/network/Network.h"
#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

#include <string>
#include <vector>

namespace dendrolith {

/// The fit table, counted from the network and the slices alone: neuron slots,
/// synapse memory, in-axons, out-axons, decay profiles, threshold profiles,
/// synapse formats, cores; core memory and program words where the target has
/// such a limit. Also counts what exceeds a limit.
std::vector<FitRow> measure(const MapNetwork &network, const Target &target,
                            const std::vector<Slice> &slices);

// What a network asks of a chip at the least, resource by resource, before
// anything is mapped.

struct Need {
  std::string resource, unit;
  std::string population;       ///< the one that takes most of it
  uint64_t used = 0, limit = 0; ///< of the whole network, and of all cores
  uint64_t cores = 0;           ///< that together have `used`
  uint64_t available = 0;       ///< cores of the chip
  std::string remedy;           ///< what would make it fit

  bool fits() const { return cores <= available; }
};

/// One for each resource that the chip limits. No mapping takes less; one that
/// fits all of them may still not exist.
std::vector<Need> leastNeeds(const MapNetwork &network, const Target &target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_MEASURE_H
