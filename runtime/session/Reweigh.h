// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an execution in time teaches the mapper about its prediction.

#ifndef DENDROLITH_RUNTIME_SESSION_REWEIGH_H
#define DENDROLITH_RUNTIME_SESSION_REWEIGH_H

#include "compiler/mapping/network/MappingOptions.h"
#include "runtime/image/Program.h"
#include "simulator/result/RunResult.h"

namespace dendrolith::session {

/// Mean parts of a step in ps.
struct StepParts {
  double update = 0, noc = 0, receive = 0, barrier = 0;
  double total() const { return update + noc + receive + barrier; }
};
StepParts meanStep(const sim::RunResult &run);

/// By population of the program the core of each neuron, by its number in the
/// model.
std::map<std::string, std::vector<uint32_t>>
coresOfNeurons(const image::Program &program);

/// After a mapping was executed: the parts of a step become longer by what they
/// took beyond the prediction in the program's report.
Reweighing withParts(Reweighing weights, const image::Program &program,
                     const sim::RunResult &run);

/// The neurons of cores that steps waited for longer than for others count
/// more: `gain` = 0.1 is at most a tenth.
Reweighing withLoads(Reweighing weights, const image::Program &program,
                     const sim::RunResult &run, double gain);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_REWEIGH_H
