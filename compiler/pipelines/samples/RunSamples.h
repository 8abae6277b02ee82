// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibration samples through the fast form of the interpreter, which takes most
// of the time of many a compilation: samples do not depend on each other and run
// on several threads.

#ifndef DENDROLITH_COMPILER_PIPELINES_SAMPLES_RUNSAMPLES_H
#define DENDROLITH_COMPILER_PIPELINES_SAMPLES_RUNSAMPLES_H

#include "dialects/dend/reference/Interpreter.h"
#include "runtime/host/Signals.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dendrolith {

/// Every input of the network is in `inputs`, which must outlive this, with the
/// same number of samples and root ticks; an input whose clock ticks T times
/// per root tick has T steps for each. A network without inputs has the length
/// of its run under kNoInput.
class InputFeeder {
public:
  InputFeeder(const dend::Interpreter &interpreter,
              const std::map<std::string, Samples> &inputs);

  /// What Interpreter::tick() takes; valid until the next call.
  const std::map<std::string, std::vector<double>> &at(uint64_t sample,
                                                       uint64_t tick);

  uint64_t samples = 0, ticks = 0; ///< ticks are those of the root clock

private:
  const std::map<std::string, Samples> &inputs;
  std::map<std::string, uint64_t> perTick; ///< steps of a root tick, by input
  std::map<std::string, std::vector<double>> values;
};

struct SampleRun {
  dend::NetworkOp network;
  const dend::Bindings &bindings;
  const std::map<std::string, Samples> &inputs;
  uint64_t most = UINT64_MAX; ///< samples, from the first on
  unsigned threads = 1;       ///< 0 is one per processor
};

/// Where a thread is.
struct SampleClock {
  uint64_t samples = 0, ticks = 0; ///< of the run; ticks are those of a sample
  uint64_t now = 0; ///< root ticks, those of all samples before included
};

/// Gives a thread what it calls at every update.
using ObserverFor = std::function<dend::Observer(const SampleClock &)>;

/// Whether a state of a network keeps its value from sample to sample (`reset
/// never`), so that samples must run in order.
bool outlivesSamples(dend::NetworkOp network);

/// Runs the samples. Observers are asked for one after the other, before
/// anything runs, and each is called by one thread alone: what they gather is
/// to be merged so that it does not depend on which samples each had. States
/// that outlive a sample (`reset never`) keep all samples on one thread. Throws
/// what the first sample by number threw; fails where the network cannot be
/// interpreted.
mlir::LogicalResult runSamples(const SampleRun &run,
                               const ObserverFor &observe);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_SAMPLES_RUNSAMPLES_H
