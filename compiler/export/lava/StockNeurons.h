// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixed-function current-based neurons as Lava's LIF.

#ifndef NEURITE_COMPILER_EXPORT_LAVA_STOCKNEURONS_H
#define NEURITE_COMPILER_EXPORT_LAVA_STOCKNEURONS_H

#include "compiler/lava/Tensors.h"

#include <optional>

namespace neurite::lava {

/// Integers of dend.cuba: one number for all neurons, or one for each; starts
/// may be empty, for zero. Defaults are Lava's.
struct CubaNumbers {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
  uint64_t inputWrapBits = 0, refractory = 0;
  int64_t vmin = -kVoltageLimit, vmax = kVoltageLimit;
  bool openHigh = false, biasWrap = false, silent = false;

  static constexpr int64_t kVoltageLimit = (int64_t(1) << 23) - 1;
};

/// a_in counts units of 2^6 of the current.
constexpr unsigned kCurrentShift = 6;
/// |a_in| up to which LIF's current wraps by no more than one turn.
constexpr int64_t kMostCurrent = (int64_t(1) << 18) - 1;

/// `neurons` in the order of `shape` as Lava has it, `order[i]` the number of
/// its i-th neuron in the arrays. Neurons that lag by `latency` steps run idle
/// so long before their first tick: a bias then needs an initial voltage that
/// it uses up. None if LIF is not this neuron; `why` says what does not fit.
std::optional<Process> asLif(const std::string &name, const Dims &shape,
                             const std::vector<uint32_t> &order,
                             const CubaNumbers &neurons, int64_t latency,
                             std::string &why);

} // namespace neurite::lava

#endif // NEURITE_COMPILER_EXPORT_LAVA_STOCKNEURONS_H
