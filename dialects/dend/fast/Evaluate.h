// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fast forms of the ops that take most of the time of a body, of which vectors
// of numbers are computed at once. They give the bits of dend::evaluateOp(),
// which the tests of tests/dialects/dend and compiler/native hold them to.

#ifndef DENDROLITH_DIALECTS_DEND_FAST_EVALUATE_H
#define DENDROLITH_DIALECTS_DEND_FAST_EVALUATE_H

#include "dialects/dend/fast/SideBySide.h"
#include "dialects/dend/reference/Evaluate.h"

#include <type_traits>

namespace dendrolith::dend::fast {

/// What dend::evaluateOp() computes. An op without a fast form has that of the
/// reference.
void evaluateOp(mlir::Operation *op, Frame &frame);

// EvaluateElements.cpp: element-wise ops.
void evaluate(AddOp op, Frame &frame);
void evaluate(SubOp op, Frame &frame);
void evaluate(MulOp op, Frame &frame);
void evaluate(DivOp op, Frame &frame);
void evaluate(MinOp op, Frame &frame);
void evaluate(MaxOp op, Frame &frame);
void evaluate(NegOp op, Frame &frame);
void evaluate(AbsOp op, Frame &frame);
void evaluate(CmpOp op, Frame &frame);
void evaluate(SelectOp op, Frame &frame);
void evaluate(ClampOp op, Frame &frame);
void evaluate(WhenOp op, Frame &frame);
void evaluate(RescaleOp op, Frame &frame);
// EvaluateProducts.cpp: sums over elements, one number of many, the largest.
void evaluate(DotOp op, Frame &frame);
void evaluate(MatVecOp op, Frame &frame);
void evaluate(VecMatOp op, Frame &frame);
void evaluate(OuterAddOp op, Frame &frame);
void evaluate(ReduceOp op, Frame &frame);
void evaluate(TopKOp op, Frame &frame);

/// An operand of an element-wise op, side by side with the result: where its
/// elements repeat, they are written out block by block.
template <typename T> class Operand {
public:
  /// Elements of a block, and so of the most neurons that one has.
  static constexpr int64_t kBlock = 512;

  Operand(const std::vector<T> &elements, const PopulationValue &lanes,
          const PopulationValue &result)
      : view(elements, lanes), size(result.size), isShared(lanes.count == 1),
        isBeside(lanes.size == result.size && lanes.count == result.count) {}

  /// Whether all elements lie as the result's do.
  bool isSideBySide() const { return isBeside; }
  /// `count` elements of the result's order, from element `first` of neuron n
  /// on. They are valid until the next call.
  const T *block(int64_t n, int64_t first, int64_t count) {
    if (isBeside || (view.step() == 1 && first + count <= size))
      return view.row(n) + first;
    // What all neurons share is the same in every block that begins where the
    // last one did, and is not longer.
    if (isShared && first == lastFirst && count <= lastCount)
      return storage;
    lastFirst = first;
    lastCount = count;
    if (view.step() == 0 && isShared)
      std::fill_n(storage, count, *view.row(n));
    else if (view.step() == 0)
      repeatEach(view.row(n), count);
    else
      repeatRow(view.row(n) + first, count);
    return storage;
  }

private:
  /// One number for each neuron; loops of known length take no longer than
  /// what they write.
  void repeatEach(const T *from, int64_t count) {
    auto write = [&](auto each) {
      T *to = storage;
      for (; count >= each; count -= each, to += each, ++from)
        for (int64_t i = 0; i < each; ++i)
          to[i] = *from;
      if (count > 0) // a part of a neuron with more than a block
        std::fill_n(to, count, *from);
    };
    switch (size) {
    case 4:
      return write(std::integral_constant<int64_t, 4>());
    case 8:
      return write(std::integral_constant<int64_t, 8>());
    default:
      return write(size);
    }
  }
  /// A row for all neurons, of which a block has several.
  void repeatRow(const T *from, int64_t count) {
    std::copy_n(from, size, storage);
    for (int64_t has = size; has < count; has *= 2)
      std::copy_n(storage, std::min(has, count - has), storage + has);
  }

  View<T> view;
  int64_t size;
  bool isShared, isBeside;
  int64_t lastFirst = -1, lastCount = 0;
  T storage[kBlock];
};
inline Operand<double> realsFor(const PopulationValue &lanes,
                                const PopulationValue &result) {
  return {lanes.real, lanes, result};
}
inline Operand<int64_t> rawsFor(const PopulationValue &lanes,
                                const PopulationValue &result) {
  return {lanes.raw, lanes, result};
}
/// Writes f of the operands' elements to every element of a value that is not
/// complex, whose elements begin at `to`: one loop over all of them where the
/// operands lie as the result does, else one for each block, which has whole
/// neurons or a part of one.
template <typename T, typename F, typename... Operands>
void fillOf(const PopulationValue &out, T *to, F f, Operands &&...operands) {
  const int64_t all = out.count * out.size;
  if ((operands.isSideBySide() && ...))
    return fillSideBySide(to, all, f, operands.block(0, 0, all)...);
  constexpr int64_t block = Operand<T>::kBlock;
  const int64_t neurons =
      std::max<int64_t>(block / std::max<int64_t>(out.size, 1), 1);
  for (int64_t n = 0; n < out.count; n += neurons) {
    const int64_t some = std::min(neurons, out.count - n) * out.size;
    for (int64_t i = 0; i < some; i += block) {
      const int64_t count = std::min(block, some - i);
      fillSideBySide(to + n * out.size + i, count, f,
                     operands.block(n, i, count)...);
    }
  }
}

} // namespace dendrolith::dend::fast

#endif // DENDROLITH_DIALECTS_DEND_FAST_EVALUATE_H
