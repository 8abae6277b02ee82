// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixed-function current-based neurons as Lava's LIF.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_STOCKNEURONS_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_STOCKNEURONS_H

#include "compiler/lava/Tensors.h"

#include "targets/support/FixedNeuron.h"

#include <optional>

namespace dendrolith::lava {

/// The integers of dend.cuba: one number for all neurons, or one for each. An
/// empty start stands for zero. Defaults are Lava's.
struct CubaNumbers {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
  uint64_t inputWrapBits = 0, currentBits = kCubaCurrentBits, refractory = 0;
  int64_t vmin = -kVoltageLimit, vmax = kVoltageLimit;
  bool openHigh = false, biasWrap = false, silent = false;

  static constexpr int64_t kVoltageLimit = (int64_t(1) << 23) - 1;
};

/// A unit of a_in is 2^6 of the current.
constexpr unsigned kCurrentShift = 6;
/// The largest |a_in| up to which LIF's current wraps by no more than one turn.
constexpr int64_t kMostCurrent = (int64_t(1) << 18) - 1;

/// Makes the LIF process of `neurons`. `shape` is Lava's, and `order[i]` is the
/// number of its i-th neuron in the arrays. Neurons that lag by `latency` steps
/// run idle so long before their first tick: a bias then needs an initial
/// voltage that it uses up. If LIF cannot be this neuron, the result is empty
/// and `why` says what does not fit.
std::optional<Process> asLif(const std::string &name, const Dims &shape,
                             const std::vector<uint32_t> &order,
                             const CubaNumbers &neurons, int64_t latency,
                             std::string &why);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_STOCKNEURONS_H
