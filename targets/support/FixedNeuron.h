// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How wide the engines of the fixed-function neuron (dend.cuba) are. What a
// chip declares in `formats` is within it.

#ifndef DENDROLITH_TARGETS_SUPPORT_FIXEDNEURON_H
#define DENDROLITH_TARGETS_SUPPORT_FIXEDNEURON_H

namespace dendrolith {

/// Decays are losses in units of 2^-12. A chip of fewer bits has the upper
/// ones.
constexpr unsigned kCubaDecayBits = 12;
/// The current, sign included.
constexpr unsigned kCubaCurrentBits = 24;
/// Steps that a neuron may stay silent after a spike.
constexpr unsigned kCubaMostRefractory = 1u << 20;

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_FIXEDNEURON_H
