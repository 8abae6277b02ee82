// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each op of a step body computes, element after element. Reals are
// evaluated in double without contraction, in the order that the op's function
// shows; everything else is exact integer arithmetic. dialects/dend/fast has
// the same of the ops that take most of the time, held equal to this.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_EVALUATE_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_EVALUATE_H

#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/reference/Frame.h"

#include <algorithm>

namespace dendrolith::dend {

/// Refuses what has no meaning here, as a diagnostic on the op: foreign ops,
/// and an `ssf` that checkSsf() refuses.
mlir::LogicalResult checkBody(NeuronOp model);

/// Computes the results of one op from its operands, for every neuron. The op
/// is a body op; literals are left out, which are computed once for a frame.
void evaluateOp(mlir::Operation *op, Frame &frame);

/// Computes the literals; their values last as long as the frame.
void evaluateLiterals(NeuronOp model, Frame &frame);

// The meaning of each body op is an overload, without which it does not build.
// EvaluateElements.cpp: element-wise ops, and moving elements.
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
void evaluate(SliceOp op, Frame &frame);
void evaluate(ElementOp op, Frame &frame);
void evaluate(ConcatOp op, Frame &frame);
void evaluate(RollOp op, Frame &frame);
void evaluate(SplatOp op, Frame &frame);
// EvaluateNumbers.cpp: scaling and functions of one number.
void evaluate(RescaleOp op, Frame &frame);
void evaluate(ShiftOp op, Frame &frame);
void evaluate(ClzOp op, Frame &frame);
void evaluate(MathOp op, Frame &frame);
void evaluate(TableOp op, Frame &frame);
// EvaluateProducts.cpp: sums over elements, one number of many, the largest.
void evaluate(DotOp op, Frame &frame);
void evaluate(MatVecOp op, Frame &frame);
void evaluate(VecMatOp op, Frame &frame);
void evaluate(OuterAddOp op, Frame &frame);
void evaluate(ReduceOp op, Frame &frame);
void evaluate(TopKOp op, Frame &frame);
// EvaluateBranch.cpp: chains of compartments.
void evaluate(BranchOp op, Frame &frame);
void evaluate(CableOp op, Frame &frame);
// EvaluateStructure.cpp, EvaluateSsf.cpp, EvaluateCuba.cpp: neurons' parts, and
// whole neurons.
void evaluate(CompartmentOp op, Frame &frame);
void evaluate(JoinOp op, Frame &frame);
void evaluate(SomaOp op, Frame &frame);
void evaluate(FireOp op, Frame &frame);
void evaluate(SsfOp op, Frame &frame);
void evaluate(DeltaRuleOp op, Frame &frame);
void evaluate(CubaOp op, Frame &frame);

/// Refuses a fixed-point `ssf` whose exact comparison needs more than 126 bits.
mlir::LogicalResult checkSsf(SsfOp op);

/// A function of one real number, and the slope that leaky_relu has for
/// negative arguments, the usual default of training.
double apply(Function function, double x);
constexpr double kLeak = 0.01;

/// Brings an exact integer into the range of a value's elements.
inline int64_t narrow(Int128 x, const PopulationValue &to,
                      Overflow overflow = Overflow::Wrap) {
  return to.kind == ElementKind::Bool ? int64_t(x & 1)
                                      : narrowTo(x, to.width, overflow);
}

/// Writes f(neuron, element) to every element of a real value.
template <typename F> void fillReal(PopulationValue &out, F f) {
  double *to = out.real.data();
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t i = 0; i < out.size; ++i)
      *to++ = f(n, i);
}
/// The same for integers and raw fixed point.
template <typename F> void fillRaw(PopulationValue &out, F f) {
  int64_t *to = out.raw.data();
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t i = 0; i < out.size; ++i)
      *to++ = f(n, i);
}
/// The same for complex numbers, given as a pointer to (re, im).
template <typename F> void fillComplex(PopulationValue &out, F f) {
  double *to = out.real.data();
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t i = 0; i < out.size; ++i, to += 2)
      std::copy_n(f(n, i), 2, to);
}
/// Writes the element of `from` at index f(neuron, element) of the same neuron,
/// whatever the kind.
template <typename F>
void fillFrom(PopulationValue &out, const PopulationValue &from, F f) {
  if (out.kind == ElementKind::Complex)
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

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_EVALUATE_H
