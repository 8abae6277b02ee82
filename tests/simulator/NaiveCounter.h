// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Event counts written from the image, the inputs and the recorded spikes and
// states alone, message by message: obvious, slow, and independent of the
// engines that it checks.

#ifndef DENDROLITH_TESTS_SIMULATOR_NAIVECOUNTER_H
#define DENDROLITH_TESTS_SIMULATOR_NAIVECOUNTER_H

#include "simulator/events/Counts.h"
#include "simulator/result/RunResult.h"
#include "targets/loader/Target.h"
#include "tests/simulator/NaiveEngine.h"

namespace dendrolith::test {

/// The same events by what caused them. Flows are keyed by the names of both
/// layers; "" is the host as a target, "*" several populations at once.
struct NaiveAttribution {
  std::map<std::string, sim::CoreCounts> layers;
  std::map<std::pair<std::string, std::string>, sim::CoreCounts> flows;
};

/// Everything in COUNTERS that a run of this image produces. `records` holds
/// every population: emitted values, and u and v after each update.
sim::Counts countNaively(const image::Program &program, const Target &target,
                         const std::map<std::string, Samples> &inputs,
                         const std::map<std::string, NaiveRecord> &records,
                         NaiveAttribution *attribution = nullptr);

/// Regroups the traces "", "u" and "v" of a run by population. One that never
/// fires has no spikes, and its trace "" is the potential.
std::map<std::string, NaiveRecord> recordsOf(const image::Program &program,
                                             const sim::RunResult &result);

/// Empty if what an engine attributed is the same; else what differs.
std::string difference(const sim::Attribution &engine,
                       const NaiveAttribution &naive);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_NAIVECOUNTER_H
