// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How wide the engines of the fixed-function neuron (dend.cuba) are. What a
// chip declares in `formats` is within it. How wide u is says each network and
// each image, as vmin and vmax say it of v.

#ifndef DENDROLITH_TARGETS_SUPPORT_FIXEDNEURON_H
#define DENDROLITH_TARGETS_SUPPORT_FIXEDNEURON_H

namespace dendrolith {

/// Decays are losses in units of 2^-12. A chip of fewer bits has the upper
/// ones.
constexpr unsigned kCubaDecayBits = 12;
/// A state, sign included, is a word of the engines.
constexpr unsigned kCubaMostStateBits = 32;
/// Bits of u, sign included, on Loihi 1 and where an image says 0.
constexpr unsigned kCubaCurrentBits = 24;
constexpr unsigned cubaCurrentBits(unsigned inImage) {
  return inImage ? inImage : kCubaCurrentBits;
}
/// Steps that a neuron may stay silent after a spike.
constexpr unsigned kCubaMostRefractory = 1u << 20;

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_FIXEDNEURON_H
