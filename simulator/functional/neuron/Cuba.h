// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loihi 1's fixed-function neuron: one update of one neuron. Its meaning is
// that of `dend.cuba`, written here a second time on purpose: the reference
// interpreter and this file check each other.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBA_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBA_H

#include "targets/support/FixedNeuron.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// What all neurons of a group share.
struct CubaRules {
  uint32_t inputWrapBits = 0; // the input wraps as u does; 0 = it is exact
  uint32_t currentBits = kCubaCurrentBits - 1; // of u, beside its sign
  int64_t vmin = -8388607, vmax = 8388607;
  int32_t refractory = 0;    // in steps
  bool wrapOpenHigh = false; // u is in [-M, M) instead of (-M, M]
  bool biasWrap = false;
  bool silent = false;
};

/// The parameters of one neuron as full integers: exponents and the shift of
/// the threshold have been applied.
struct CubaParameters {
  int32_t decayU = 0; // from -1 to 4095
  int32_t decayV = 0; // from 0 to 4096
  int32_t threshold = 0;
  int32_t bias = 0;
};

struct CubaState {
  int32_t u = 0, v = 0;
  int32_t refractory = 0; // updates left in which v is held at 0
};

struct CubaResult {
  CubaState state;
  int32_t potential = 0; // v before a spike reset it
  bool spike = false;
  bool wrapped = false; // u or, with biasWrap, u + bias left its bits
  bool clipped = false; // v met vmin or vmax
};

/// An array parameter of a group: one value for all neurons or one for each.
class CubaParameter {
public:
  void set(std::vector<int32_t> given, int32_t ifAbsent) {
    values = std::move(given);
    if (values.empty())
      values.push_back(ifAbsent);
    stride = values.size() > 1 ? 1 : 0;
  }
  int32_t operator[](uint32_t neuron) const { return values[neuron * stride]; }
  const std::vector<int32_t> &all() const { return values; }

private:
  std::vector<int32_t> values = {0};
  uint32_t stride = 0;
};

struct CubaGroup {
  CubaRules rules;
  CubaParameter decayU, decayV, threshold, bias, initialU, initialV;
  /// Whether an all-zero state without input or bias stays so and does not
  /// fire.
  bool quiescent = false;
  bool sharedStep = false; // hasSharedStep() of CubaStep.h
  CubaParameters at(uint32_t neuron) const {
    return {decayU[neuron], decayV[neuron], threshold[neuron], bias[neuron]};
  }
};

/// Wraps x into `bits` bits and a sign: into (-2^bits, 2^bits], or into
/// [-2^bits, 2^bits) when that is open at the high end.
inline int64_t wrapCurrent(uint64_t x, uint32_t bits, bool openHigh) {
  const uint64_t half = uint64_t(1) << bits, low = half - (openHigh ? 0 : 1);
  return static_cast<int64_t>((x + low) & (2 * half - 1)) -
         static_cast<int64_t>(low);
}

/// One update with `input`, the sum of the contributions due (modulo 2^64).
inline CubaResult updateCuba(const CubaRules &rules, const CubaParameters &p,
                             const CubaState &old, int64_t input) {
  CubaResult next;
  // Division truncates toward zero, as the chip's decay does.
  int64_t decayedU = int64_t(old.u) * (4095 - p.decayU) / 4096;
  int64_t decayedV = int64_t(old.v) * (4096 - p.decayV) / 4096;
  uint64_t drive = static_cast<uint64_t>(input);
  if (rules.inputWrapBits)
    drive = static_cast<uint64_t>(
        wrapCurrent(drive, rules.inputWrapBits, rules.wrapOpenHigh));
  uint64_t sum = static_cast<uint64_t>(decayedU) + drive;
  int64_t u = wrapCurrent(sum, rules.currentBits, rules.wrapOpenHigh);
  next.wrapped = static_cast<uint64_t>(u) != sum;
  int64_t d = u + p.bias;
  if (rules.biasWrap) {
    int64_t wrapped = wrapCurrent(static_cast<uint64_t>(d), rules.currentBits,
                                  rules.wrapOpenHigh);
    next.wrapped |= wrapped != d;
    d = wrapped;
  }
  int64_t free = decayedV + d;
  int64_t v = std::min(std::max(free, rules.vmin), rules.vmax);
  next.clipped = v != free;
  if (old.refractory > 0)
    v = 0;
  next.potential = static_cast<int32_t>(v);
  next.spike = !rules.silent && v > p.threshold;
  if (next.spike) {
    v = 0;
    next.state.refractory = std::max(rules.refractory - 1, 0);
  } else {
    next.state.refractory = std::max(old.refractory - 1, 0);
  }
  next.state.u = static_cast<int32_t>(u);
  next.state.v = static_cast<int32_t>(v);
  return next;
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBA_H
