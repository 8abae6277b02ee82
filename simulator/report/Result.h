// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result.json holds everything that a run knows, so that a report needs
// nothing else.

#ifndef NEURITE_SIMULATOR_REPORT_RESULT_H
#define NEURITE_SIMULATOR_REPORT_RESULT_H

#include "runtime/image/Program.h"
#include "simulator/RunResult.h"
#include "simulator/energy/Energy.h"

#include <nlohmann/json.hpp>

namespace neurite::report {

/// Returns schedule, fit, quantisation, mapping, policies, rewrites and layers
/// of a program.
nlohmann::ordered_json programFacts(const image::Program &program);

/// Adds an engine's counts, times, NeuroBench fields, saturations and spike
/// values.
void addExecution(nlohmann::ordered_json &result, const sim::RunResult &run);

/// Returns the table of that name. Without a name these are the target's own:
/// the low and the high end of a band where the chip's prices are not known.
std::vector<CostTable> chooseCosts(const std::string &name,
                                   const Target &target);

/// Adds (or replaces) `energy` and `costs`, or for a band `energy_band` and
/// `costs_band` with their ends `low` and `high`; warns on standard error when
/// a table belongs to another family than the run's timing. Returns the bills
/// as text.
std::string addEnergy(nlohmann::ordered_json &result, const sim::Counts &counts,
                      const std::vector<CostTable> &tables,
                      const TimingSet &timing, uint64_t timePs);

/// Returns the peak resident memory of this process and its finished children
/// in MB (10^6 bytes).
double peakResidentMb();

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_RESULT_H
