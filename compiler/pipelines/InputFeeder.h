// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model's input files, cut into what the interpreter takes at each root tick.

#ifndef DENDROLITH_COMPILER_PIPELINES_INPUTFEEDER_H
#define DENDROLITH_COMPILER_PIPELINES_INPUTFEEDER_H

#include "dialects/dend/reference/Interpreter.h"
#include "runtime/host/Signals.h"

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_INPUTFEEDER_H
