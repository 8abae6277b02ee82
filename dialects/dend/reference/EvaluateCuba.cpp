// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loihi 1's fixed-function current-based neuron, to the bit: Lava's LIF process
// in fixed point, and NengoLoihi's emulator with other attributes. Attributes
// that give the emulator: input_wrap_bits 21, wrap open_high, bias_wrap, vmin
// and vmax of its configuration, refractory >= 1. The two differ so:
//   * Lava keeps u = +2^23 and turns -2^23 into +2^23; the emulator the
//   reverse.
//   * Lava's ports sum exactly; the emulator wraps the sum into 21 bits + sign.
//   * Lava adds the bias after u was wrapped, exactly; the emulator wraps
//   again.
//   * Lava clips v to +-(2^23 - 1); the emulator to configured powers of two.
//   * Lava has no refractory time; the emulator holds v at 0 for
//     `refractory` - 1 further steps.

#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// x modulo 2^(bits + 1) in (-2^bits, 2^bits] or [-2^bits, 2^bits).
int64_t wrapCurrent(Int128 x, unsigned bits, WrapRange range) {
  int64_t wrapped = wrapTo(x, bits + 1);
  if (range == WrapRange::OpenLow && wrapped == lowest(bits + 1))
    return int64_t(1) << bits;
  return wrapped;
}

/// x * keep / 2^12, rounded towards zero.
Int128 decay(int64_t x, int64_t keep) {
  return shiftRound(Int128(x) * keep, 12, Rounding::TowardZero);
}

} // namespace

void evaluate(CubaOp op, Frame &frame) {
  PopulationValue &spike = frame.result(op.getSpike());
  PopulationValue &nextU = frame.result(op.getNextU());
  PopulationValue &nextV = frame.result(op.getNextV());
  PopulationValue &nextR = frame.result(op.getNextR());
  View<int64_t> input = raws(frame[op.getInput()]), u = raws(frame[op.getU()]);
  View<int64_t> v = raws(frame[op.getV()]), r = raws(frame[op.getR()]);
  View<int64_t> decayU = raws(frame[op.getDecayU()]);
  View<int64_t> decayV = raws(frame[op.getDecayV()]);
  View<int64_t> threshold = raws(frame[op.getThreshold()]);
  View<int64_t> bias = raws(frame[op.getBias()]);
  unsigned inputBits = unsigned(op.getInputWrapBits());
  unsigned currentBits = unsigned(op.getCurrentBits()) - 1; // without the sign
  // The attribute getters are unsigned.
  Int128 vmin = int64_t(op.getVmin()), vmax = int64_t(op.getVmax());
  int64_t refractory = int64_t(op.getRefractory());
  WrapRange range = op.getWrap();

  for (int64_t n = 0; n < spike.count; ++n) {
    int64_t a = input(n, 0);
    if (inputBits)
      a = wrapCurrent(a, inputBits, range);
    int64_t newU = wrapCurrent(decay(u(n, 0), 4095 - decayU(n, 0)) + a,
                               currentBits, range);
    int64_t drive = newU + bias(n, 0);
    if (op.getBiasWrap())
      drive = wrapCurrent(drive, currentBits, range);
    Int128 free = decay(v(n, 0), 4096 - decayV(n, 0)) + drive;
    int64_t newV = int64_t(std::min(std::max(free, vmin), vmax));
    if (r(n, 0) > 0)
      newV = 0;
    bool fires = !op.getSilent() && newV > threshold(n, 0);
    spike.raw[n] = fires;
    nextU.raw[n] = newU;
    nextV.raw[n] = fires ? 0 : newV;
    // A count of steps left is never negative, also for `refractory` 0.
    nextR.raw[n] = std::max<int64_t>(fires ? refractory - 1 : r(n, 0) - 1, 0);
  }
}

} // namespace dendrolith::dend
