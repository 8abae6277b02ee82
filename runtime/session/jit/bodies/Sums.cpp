// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums over elements, and the largest of them. Real sums begin at
// 0 and have their terms in index order, each sum by itself.

#include "runtime/session/jit/bodies/Blocks.h"

#include <algorithm>

namespace dendrolith::sim::jit::bodies {

using namespace mlir;
using Is = arith::CmpFPredicate;

/// Sums side by side, so that none waits for another.
constexpr size_t kTogether = 8;

template <typename Left, typename Right>
void Blocks::sum(Value result, int64_t terms, bool inWidth, Left left,
                 Right right) {
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

void Blocks::dot(dend::DotOp op) {
  sum(
      op.getResult(), sizeOf(op.getRhs()), false,
      [&](int64_t, At k, unsigned) { return e.read(op.getLhs(), k, 1); },
      [&](int64_t, At k, unsigned) { return e.read(op.getRhs(), k, 1); });
}

void Blocks::matVec(dend::MatVecOp op) {
  const Value matrix = op.getLhs();
  const int64_t terms = sizeOf(op.getRhs()), rows = sizeOf(op.getResult());
  const bool turned = places[matrix].columns != 0;
  sum(
      op.getResult(), terms, turned,
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

void Blocks::vecMat(dend::VecMatOp op) {
  const int64_t columns = sizeOf(op.getResult());
  sum(
      op.getResult(), sizeOf(op.getLhs()), true,
      [&](int64_t, At k, unsigned width) {
        return e.readOne(op.getLhs(), k, width);
      },
      [&](int64_t column, At k, unsigned width) {
        return e.read(op.getRhs(), w.plus(w.times(k, columns), column), width);
      });
}

void Blocks::reduce(dend::ReduceOp op) {
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

/// accumulator + lhs (x) rhs, or a delta rule on a matrix.
void Blocks::outer(Operation *op) {
  const Value result = op->getResult(0), old = op->getOperand(0);
  const int64_t rows = dend::shapeOf(result.getType()).front();
  const int64_t columns = sizeOf(result) / rows;
  auto add = dyn_cast<dend::OuterAddOp>(op);
  auto rule = dyn_cast<dend::DeltaRuleOp>(op);
  auto one = [&](Value value, At at, unsigned width) {
    return e.read(value, at, width);
  };
  w.forEach(rows, {}, [&](At row, const std::vector<Value> &none) {
    const Value left = add ? e.read(add.getLhs(), row, 1)
                           : w.mul(one(rule.getRate(), At{}, 1),
                                   e.read(rule.getKey(), row, 1));
    w.forAll(columns, [&](At column, unsigned width) {
      const At at = w.plus(w.times(row, columns), column);
      Value before = e.read(old, at, width), right;
      if (add) {
        right = e.read(add.getRhs(), column, width);
      } else {
        before = w.mul(one(rule.getKeep(), At{}, width), before);
        right = w.sub(e.read(rule.getTarget(), column, width),
                      e.read(rule.getPrediction(), column, width));
      }
      e.keep(result, at, w.add(before, w.mul(w.widen(left, width), right)));
    });
    return none;
  });
}

/// An element is marked if fewer than k come before it.
void Blocks::mark(dend::TopKOp op) {
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

void Blocks::callMath(dend::MathOp op) {
  const Value result = op.getResult();
  const Place &place = places[result];
  const bool inRegisters = place.kind == Place::Kind::Registers;
  const int64_t word = inRegisters ? places.spareOf(op) : place.word;
  const Space space = inRegisters ? Scratch : place.space;
  copy(op.getInput(), word, space);
  e.call(op.getFunction(), space, word, sizeOf(result));
  if (inRegisters)
    for (int64_t i = 0; i < sizeOf(result); ++i)
      e.keep(result, At{i}, w.load(w.b.getF64Type(), Scratch, At{word + i}, 1));
}

} // namespace dendrolith::sim::jit::bodies
