// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each op of a step body computes. Reals are evaluated in double without
// contraction, in the order that the op's function shows; everything else is
// exact integer arithmetic.

#ifndef NEURITE_DIALECTS_DEND_REFERENCE_EVALUATE_H
#define NEURITE_DIALECTS_DEND_REFERENCE_EVALUATE_H

#include "dialects/dend/reference/Lanes.h"
#include "dialects/dend/reference/SideBySide.h"

namespace neurite::dend {

/// Refuses what has no meaning here, as a diagnostic on the op: foreign ops,
/// and an `ssf` whose exact comparison needs too many bits.
mlir::LogicalResult checkBody(NeuronOp model);

/// Computes the results of one op from its operands, for every neuron. The op
/// is a body op; literals are left out, which are computed once for a frame.
void evaluateOp(mlir::Operation *op, Frame &frame);

/// Computes the literals; their values last as long as the frame.
void evaluateLiterals(NeuronOp model, Frame &frame);

// The meaning of each body op is an overload, without which it does not build.
// Elements.cpp: element-wise ops.
void evaluate(LiteralOp op, Frame &frame);
void evaluate(AddOp op, Frame &frame);
void evaluate(SubOp op, Frame &frame);
void evaluate(MulOp op, Frame &frame);
void evaluate(DivOp op, Frame &frame);
void evaluate(MinOp op, Frame &frame);
void evaluate(MaxOp op, Frame &frame);
void evaluate(NegOp op, Frame &frame);
void evaluate(AbsOp op, Frame &frame);
void evaluate(ToRealOp op, Frame &frame);
void evaluate(CmpOp op, Frame &frame);
void evaluate(SelectOp op, Frame &frame);
void evaluate(ClampOp op, Frame &frame);
void evaluate(WhenOp op, Frame &frame);
// Numbers.cpp: scaling and functions of one number.
void evaluate(RescaleOp op, Frame &frame);
void evaluate(ShiftOp op, Frame &frame);
void evaluate(ClzOp op, Frame &frame);
void evaluate(MathOp op, Frame &frame);
void evaluate(TableOp op, Frame &frame);
// Products.cpp: sums over elements.
void evaluate(DotOp op, Frame &frame);
void evaluate(MatVecOp op, Frame &frame);
void evaluate(VecMatOp op, Frame &frame);
void evaluate(OuterAddOp op, Frame &frame);
void evaluate(ReduceOp op, Frame &frame);
void evaluate(TopKOp op, Frame &frame);
// Shapes.cpp: moving elements.
void evaluate(SliceOp op, Frame &frame);
void evaluate(ElementOp op, Frame &frame);
void evaluate(ConcatOp op, Frame &frame);
void evaluate(RollOp op, Frame &frame);
void evaluate(SplatOp op, Frame &frame);
// Branch.cpp: chains of compartments.
void evaluate(BranchOp op, Frame &frame);
void evaluate(CableOp op, Frame &frame);
// Structure.cpp, Ssf.cpp, Cuba.cpp: ops with a place in hardware.
void evaluate(CompartmentOp op, Frame &frame);
void evaluate(JoinOp op, Frame &frame);
void evaluate(SomaOp op, Frame &frame);
void evaluate(FireOp op, Frame &frame);
void evaluate(SsfOp op, Frame &frame);
void evaluate(DeltaRuleOp op, Frame &frame);
void evaluate(CubaOp op, Frame &frame);

/// Writes f(neuron, element) to every element of a real value.
template <typename F> void fillReal(Lanes &out, F f) {
  double *to = out.real.data();
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t i = 0; i < out.size; ++i)
      *to++ = f(n, i);
}
/// The same for integers and raw fixed point.
template <typename F> void fillRaw(Lanes &out, F f) {
  int64_t *to = out.raw.data();
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t i = 0; i < out.size; ++i)
      *to++ = f(n, i);
}
/// An operand of an element-wise op. `stride` says how far apart successive
/// elements of the result lie here, where one loop can run over all of its
/// neurons: 1, or 0 if there is one element for all; else -1.
template <typename T> struct Operand {
  Operand(const std::vector<T> &elements, const Lanes &lanes,
          const Lanes &result)
      : data(elements.data()), view(elements, lanes) {
    const bool oneNeuron = result.count == 1, oneElement = result.size == 1;
    if ((oneNeuron || lanes.count == 1) && (oneElement || lanes.size == 1))
      stride = 0;
    else if ((oneNeuron || lanes.count != 1) && lanes.size == result.size)
      stride = 1;
  }
  const T *data;
  View<T> view;
  int64_t stride = -1;
};
inline Operand<double> realsFor(const Lanes &lanes, const Lanes &result) {
  return {lanes.real, lanes, result};
}
inline Operand<int64_t> rawsFor(const Lanes &lanes, const Lanes &result) {
  return {lanes.raw, lanes, result};
}
/// Writes f of the operands' elements to every element of a value that is not
/// complex, whose elements begin at `to`. Where the operands lie as the result
/// does, one loop runs over all neurons, and where each has an element for each
/// of the result's, one over those of a neuron.
template <typename T, typename F, typename... Ts>
void fillOf(const Lanes &out, T *to, F f, Operand<Ts>... operands) {
  const int64_t all = out.count * out.size;
  if (((operands.stride == 1) && ...)) {
    fillSideBySide(to, all, f, operands.data...);
  } else if (((operands.stride >= 0) && ...)) {
    for (int64_t k = 0; k < all; ++k)
      to[k] = f(operands.data[k * operands.stride]...);
  } else {
    const bool isDense = ((operands.view.step() == 1) && ...);
    for (int64_t n = 0; n < out.count; ++n, to += out.size) {
      if (isDense)
        fillSideBySide(to, out.size, f, operands.view.row(n)...);
      else
        for (int64_t i = 0; i < out.size; ++i)
          to[i] = f(operands.view(n, i)...);
    }
  }
}
/// The same for complex numbers, given as a pointer to (re, im).
template <typename F> void fillComplex(Lanes &out, F f) {
  double *to = out.real.data();
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t i = 0; i < out.size; ++i, to += 2)
      std::copy_n(f(n, i), 2, to);
}
/// Writes the element of `from` at index f(neuron, element) of the same neuron,
/// whatever the kind.
template <typename F> void fillFrom(Lanes &out, const Lanes &from, F f) {
  if (out.kind == Lanes::Kind::Complex)
    fillComplex(out, [&from, f](int64_t n, int64_t i) {
      return complexAt(from, n, f(n, i));
    });
  else if (out.isReal())
    fillReal(out, [x = reals(from), f](int64_t n, int64_t i) {
      return x(n, f(n, i));
    });
  else
    fillRaw(out, [x = raws(from), f](int64_t n, int64_t i) {
      return x(n, f(n, i));
    });
}

} // namespace neurite::dend

#endif // NEURITE_DIALECTS_DEND_REFERENCE_EVALUATE_H
