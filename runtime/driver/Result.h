// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// result.json: everything a run knows, so that a report needs nothing else.

#ifndef NEURITE_RUNTIME_DRIVER_RESULT_H
#define NEURITE_RUNTIME_DRIVER_RESULT_H

#include "runtime/driver/Metrics.h"

#include "simulator/energy/Energy.h"

#include <nlohmann/json.hpp>

namespace neurite::driver {

/// Schedule, fit, quantisation, mapping and policies of a program.
nlohmann::ordered_json programFacts(const image::Program &program);

/// Adds an engine's counts, times, NeuroBench fields and saturations.
void addExecution(nlohmann::ordered_json &result, const sim::RunResult &run);

/// Adds (or replaces) `energy` and `costs`; warns on standard error when the
/// table belongs to another family than the run's timing.
void addEnergy(nlohmann::ordered_json &result, const sim::Counts &counts,
               const CostTable &table, const TimingSet &timing,
               uint64_t timePs);

nlohmann::ordered_json toJson(const Agreement &agreement);

/// Peak resident memory of this process and its finished children, MB (10^6).
double peakResidentMb();

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_RESULT_H
