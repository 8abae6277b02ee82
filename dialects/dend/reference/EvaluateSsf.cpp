// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaling-shifting integer firing (MMDEND eq. 16-17).
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#include "dialects/dend/reference/Evaluate.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// An odd integer (or 0) times a power of two: what every double is.
struct Dyadic {
  int64_t mantissa = 0;
  int exponent = 0;

  explicit Dyadic(double x) {
    double fraction = std::frexp(x, &exponent);
    mantissa = int64_t(std::ldexp(fraction, 53));
    exponent -= 53;
    while (mantissa != 0 && mantissa % 2 == 0) {
      mantissa /= 2;
      ++exponent;
    }
  }
};

unsigned bitsOf(int64_t x) {
  uint64_t magnitude = x < 0 ? uint64_t(0) - uint64_t(x) : uint64_t(x);
  unsigned bits = 0;
  while (bits < 64 && (magnitude >> bits) != 0)
    ++bits;
  return bits;
}

/// The ladder in integers: the potential and scale * vth as multiples of the
/// smaller of their two units.
struct Ladder {
  unsigned potentialShift, stepShift;
  int64_t vth;   // mantissa
  int64_t rungs; // Ubar

  explicit Ladder(SsfOp op)
      : rungs(int64_t(op.getU().convertToDouble() /
                      op.getVth().convertToDouble())) {
    Dyadic threshold(op.getVth().convertToDouble());
    vth = threshold.mantissa;
    potentialShift = unsigned(std::max(-threshold.exponent, 0));
    stepShift = unsigned(std::max(threshold.exponent, 0));
  }
};

} // namespace

LogicalResult checkSsf(SsfOp op) {
  FxType type = fixedType(op.getPotential().getType());
  if (!type)
    return success();
  Ladder ladder(op);
  // shift + scale vth k must stay within 127 bits, and so must the potential.
  if (type.getWidth() + ladder.potentialShift <= 125 &&
      type.getWidth() + ladder.stepShift + bitsOf(ladder.vth) +
              bitsOf(ladder.rungs) <=
          125)
    return success();
  return op.emitOpError() << "compares numbers of more than 126 bits: give a "
                             "vth of fewer binary digits";
}

/// The real value whose floor of vth counts the rungs reached: of a descending
/// ladder those from the lowest k that (v - shift) / scale allows, of one whose
/// rungs fall together all or none.
static double heightOf(double v, double shift, double scale, double u,
                       double vth) {
  if (scale > 0)
    return (v - shift) / scale;
  if (scale == 0)
    return v >= shift ? u : -u;
  return vth + (v - shift) / -scale;
}

// Fixed point, with Ubar = U / vth: the number of k in -Ubar+1..Ubar with
// v >= shift + scale vth k, minus Ubar, exactly.
// Reals: the same integer, floor(clip((v - shift) / scale, -U, U) / vth) where
// the scale is positive. A height that is not a number gives the clip's lower
// end, so that the cast is defined.
void evaluate(SsfOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &potential = frame[op.getPotential()];
  if (potential.isReal()) {
    View<double> v = reals(potential), shift = reals(frame[op.getShift()]),
                 scale = reals(frame[op.getScale()]);
    double u = op.getU().convertToDouble(), vth = op.getVth().convertToDouble();
    fillRaw(out, [&](int64_t n, int64_t i) {
      double x = heightOf(v(n, i), shift(n, i), scale(n, i), u, vth);
      x = x > -u ? x : -u;
      x = x > u ? u : x;
      return int64_t(std::floor(x / vth));
    });
    return;
  }
  Ladder ladder(op);
  View<int64_t> v = raws(potential), shift = raws(frame[op.getShift()]),
                scale = raws(frame[op.getScale()]);
  auto times = [](Int128 x, unsigned bits) { return x * (Int128(1) << bits); };
  fillRaw(out, [&](int64_t n, int64_t i) {
    Int128 height = times(v(n, i), ladder.potentialShift);
    Int128 base = times(shift(n, i), ladder.potentialShift);
    Int128 step = times(Int128(scale(n, i)) * ladder.vth, ladder.stepShift);
    int64_t reached = 0;
    for (int64_t k = -ladder.rungs + 1; k <= ladder.rungs; ++k)
      reached += height >= base + step * k;
    return reached - ladder.rungs;
  });
}

} // namespace dendrolith::dend
