// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith report --by bound`: a bound of a step that needs no simulation,
// the largest of what the busiest core, link and barrier take by their counts
// (the max-affine model), beside what the engine found.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_CORETERMS_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_CORETERMS_H

#include "simulator/events/Counts.h"
#include "targets/loader/chip/Chip.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::report {

/// What a core takes for a mean step in ns, each kind of work alone.
struct CoreTerms {
  uint32_t core = 0;
  double neurons = 0, synapses = 0, memory = 0, link = 0;
};

struct StepBound {
  std::vector<CoreTerms> cores; ///< by id
  double mesh = 0, barrier = 0; ///< ns: the busiest link between routers
  double bound = 0;             ///< the largest of all
  std::string binding;          ///< whose it is, "synapses of core 3"
  std::string part;             ///< of the critical path, "receive"
};

/// No step of `steps`, in the mean, can be shorter. Throws Error for a chip
/// whose phases follow each other, for which this is no bound.
StepBound boundOf(const sim::Counts &counts, const Chip &chip,
                  const TimingSet &timing, uint64_t steps);

/// The cores with the largest terms, the bound, and why the engine is above it
/// where it is by more than a tenth. `result` is result.json of a timed run.
std::string formatCoreTerms(const StepBound &bound,
                            const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_CORETERMS_H
