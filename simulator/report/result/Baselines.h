// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network of a result as an artificial one, priced by published energies of
// arithmetic: what a spiking network has to be better than.
//
// A dense network multiplies every weight at every tick. A quantised one takes
// one pass for all ticks of a sample, with activations of as many levels as a
// neuron can tell in them: ceil(log2(T U + 1)) bits for T ticks of spikes of
// magnitude up to U (Z. Yan, Z. Bai, T. Tang, W.-F. Wong, Reconsidering the
// Energy Efficiency of Spiking Neural Networks, arXiv:2409.08290, which has U =
// 1).
//
// Prices: M. Horowitz, Computing's Energy Problem (and what we can do about
// it), ISSCC 2014, 45 nm at 0.9 V, of the arithmetic alone. No memory and no
// network is in them, while an energy counted on a chip has both.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_BASELINES_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_BASELINES_H

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace dendrolith::report {

/// Energies of a multiplication and an addition in pJ: of 32-bit floats, and
/// of integers of 8 and of 32 bits.
constexpr double kFloatMacPj = 4.6, kByteMacPj = 0.23, kWordMacPj = 3.2;

/// The `summary.baselines` of a result: multiplications of a sample and their
/// energy as floats and bytes, and of the quantised network its bits, which are
/// priced as the next width that is published. null where nothing was counted.
nlohmann::ordered_json baselines(const nlohmann::ordered_json &result);

/// The price of a multiplication and an addition of integers, in pJ, of the
/// next width that is published.
double macPrice(uint64_t bits);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_BASELINES_H
