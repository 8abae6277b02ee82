// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sweeps share: flags, and a model that is calibrated already.

#ifndef DENDROLITH_RUNTIME_DRIVER_SWEEP_H
#define DENDROLITH_RUNTIME_DRIVER_SWEEP_H

#include "runtime/driver/ModelFlags.h"
#include "simulator/report/Pricing.h"
#include "simulator/report/Result.h"

namespace dendrolith::driver {

struct SweepFlags {
  session::ModelRequest model;
  std::string path, timing, costs, over = "assumptions";
  std::vector<std::string> inputs;
  std::vector<double> factors = {0.5, 1, 2};
};

/// Mean over samples of a run in the cycle engine.
double meanLatencyNs(const sim::RunResult &run);

/// The same network with graded and with unary spikes, on as few cores as it
/// needs and with a layer on each: messages, steps, energy and latency as a
/// table. Throws Error unless all four give the same outputs to the bit.
void sweepSpikes(const SweepFlags &flags, Compilation &model,
                 const session::LoadedInputs &inputs);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_SWEEP_H
