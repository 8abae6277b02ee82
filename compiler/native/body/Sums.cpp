// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/Sums.h"

#include "compiler/native/body/Elements.h"

#include <algorithm>

namespace dendrolith::native::body {

using namespace mlir;
using Is = arith::CmpFPredicate;

/// Sums side by side, so that none waits for another.
constexpr size_t kTogether = 8;

/// Sums of `terms` terms, some elements of the result side by side: the factors
/// of term k of the elements from `at` on are left(at, k, width) and
/// right(...). Each sum has its terms in order.
template <typename Left, typename Right>
static void writeSums(Elements &e, Value result, int64_t terms, bool inWidth,
                      Left left, Right right) {
  Words &w = e.w;
  struct Piece {
    int64_t at;
    unsigned width;
  };
  std::vector<Piece> pieces;
  const int64_t size = sizeOf(result);
  const auto wide = unsigned(w.lanes.count == 1 ? Words::kWide : 1);
  for (int64_t at = 0; at < size;) {
    const unsigned width = inWidth && at + wide <= size ? wide : 1;
    pieces.push_back({at, width});
    at += width;
  }
  for (size_t first = 0; first < pieces.size(); first += kTogether) {
    const size_t end = std::min(first + kTogether, pieces.size());
    std::vector<Value> sums;
    for (size_t p = first; p < end; ++p)
      sums.push_back(w.real(0, pieces[p].width));
    sums = w.forEach(terms, sums, [&](At k, const std::vector<Value> &given) {
      std::vector<Value> next;
      for (size_t p = first; p < end; ++p)
        next.push_back(w.add(given[p - first],
                             w.mul(left(pieces[p].at, k, pieces[p].width),
                                   right(pieces[p].at, k, pieces[p].width))));
      return next;
    });
    for (size_t p = first; p < end; ++p)
      e.keep(result, At{pieces[p].at}, sums[p - first]);
  }
}

static void writeDot(dend::DotOp op, Elements &e) {
  writeSums(
      e, op.getResult(), sizeOf(op.getRhs()), false,
      [&](int64_t, At k, unsigned) { return e.read(op.getLhs(), k, 1); },
      [&](int64_t, At k, unsigned) { return e.read(op.getRhs(), k, 1); });
}

static void writeMatVec(dend::MatVecOp op, Elements &e) {
  Words &w = e.w;
  const Value matrix = op.getLhs();
  const int64_t terms = sizeOf(op.getRhs()), rows = sizeOf(op.getResult());
  const bool turned = e.places[matrix].columns != 0;
  writeSums(
      e, op.getResult(), terms, turned,
      [&](int64_t row, At k, unsigned width) {
        return e.read(matrix,
                      turned ? w.plus(w.times(k, rows), row)
                             : w.plus(k, row * terms),
                      width);
      },
      [&](int64_t, At k, unsigned width) {
        return e.readOne(op.getRhs(), k, width);
      });
}

static void writeVecMat(dend::VecMatOp op, Elements &e) {
  Words &w = e.w;
  const int64_t columns = sizeOf(op.getResult());
  writeSums(
      e, op.getResult(), sizeOf(op.getLhs()), true,
      [&](int64_t, At k, unsigned width) {
        return e.readOne(op.getLhs(), k, width);
      },
      [&](int64_t column, At k, unsigned width) {
        return e.read(op.getRhs(), w.plus(w.times(k, columns), column), width);
      });
}

static void writeReduce(dend::ReduceOp op, Elements &e) {
  Words &w = e.w;
  const bool isSum = op.getKind() == dend::Reduction::Sum;
  const Value first = isSum ? w.real(0, 1) : e.read(op.getInput(), At{}, 1);
  const std::vector<Value> found = w.forEach(
      sizeOf(op.getInput()), {first},
      [&](At k, const std::vector<Value> &given) -> std::vector<Value> {
        const Value x = e.read(op.getInput(), k, 1);
        if (isSum)
          return {w.add(given[0], x)};
        return {w.choose(w.is(Is::OGT, x, given[0]), x, given[0])};
      });
  e.keep(op.getResult(), At{}, found[0]);
}

/// An element is marked if fewer than k come before it.
static void writeTopK(dend::TopKOp op, Elements &e) {
  Words &w = e.w;
  const int64_t size = sizeOf(op.getInput());
  const int64_t most = std::min(int64_t(op.getK()), size);
  std::vector<Value> all, isNone;
  for (int64_t i = 0; i < size; ++i) {
    all.push_back(e.read(op.getInput(), At{i}, 1));
    isNone.push_back(w.is(Is::UNO, all.back(), all.back()));
  }
  Lanes &l = w.lanes;
  for (int64_t i = 0; i < size; ++i) {
    Lane before = l.constant(0, 64);
    for (int64_t j = 0; j < size; ++j) {
      if (j == i)
        continue;
      // Equal ones and those that are no numbers: a number comes first, then
      // the lower index.
      Value isBefore = l.constant(j < i, 1).value;
      isBefore = w.choose(
          l.compare(arith::CmpIPredicate::ne, {isNone[j], 1}, {isNone[i], 1})
              .value,
          isNone[i], isBefore);
      const Value isLess = w.is(Is::OLT, all[j], all[i]);
      isBefore = w.choose(isLess, l.constant(0, 1).value, isBefore);
      const Value isMore = w.is(Is::OGT, all[j], all[i]);
      isBefore = w.choose(isMore, isMore, isBefore);
      before = l.add(before, l.as({isBefore, 1}, 64));
    }
    e.keep(op.getResult(), At{i},
           l.compare(arith::CmpIPredicate::slt, before, l.constant(most, 64))
               .value);
  }
}

void populateSumPatterns(RewritePatternSet &patterns, BodyState &state) {
  patterns
      .add<WriteOp<dend::DotOp, writeDot>, WriteOp<dend::MatVecOp, writeMatVec>,
           WriteOp<dend::VecMatOp, writeVecMat>,
           WriteOp<dend::ReduceOp, writeReduce>,
           WriteOp<dend::TopKOp, writeTopK>>(patterns.getContext(), state);
}

} // namespace dendrolith::native::body
