// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Sums.h"

#include "compiler/native/program/Scaling.h"
#include "compiler/native/program/StepOps.h"

namespace dendrolith::native::program {

using micro::Space;
using mlir::Value;
using mlir::arith::CmpIPredicate;

Lane beginSum(const Step &step, Visit &v) {
  if (step.code.op != MicroOp::Maximum)
    return v.l.constant(0, holding(step.code.width));
  return v.l.constant(llvm::APInt::getSignedMinValue(holding(step.bits.a)));
}

void endSum(const Step &step, const Lane &sum, Visit &v) {
  v.put(step, At(),
        step.code.op == MicroOp::Maximum ? sum
                                         : wrap(v.l, sum, step.code.width));
}

/// The sum of the elements up to `at`.
static Lane addTo(const Lane &sum, const Step &step, const At &at, Visit &v) {
  Lane x = v.element(step, 0, at);
  if (step.code.op == MicroOp::Maximum)
    return v.l.most(sum, v.l.as(x, sum.held));
  if (step.code.op == MicroOp::Dot)
    x = termOf(step, x, v.element(step, 1, at), v);
  return v.l.add(sum, v.l.as(x, sum.held));
}

/// In a loop its pattern begins and ends all sums.
static void writeReduction(const Step &step, Visit &v) {
  if (v.state.element) {
    Lane &sum = v.state.sums[step.number];
    sum = addTo(sum, step, {0, v.state.element}, v);
    return;
  }
  Lane sum = beginSum(step, v);
  for (uint32_t e = 0; e < step.code.m; ++e)
    sum = addTo(sum, step, {e}, v);
  endSum(step, sum, v);
}

/// An element of a matrix times a vector, or the other way round.
static Lane matrixElement(const Step &step, const At &at, Visit &v) {
  Lanes &l = v.l;
  Memories &memory = v.memory;
  const unsigned held = holding(step.code.width);
  const bool rows = step.code.op == MicroOp::MatVec;
  const Value element = memory.number(at);
  const Value n = memory.number(step.code.n), m = memory.number(step.code.m);
  v.readAhead(step);
  const Value sum = v.loops.forEach(
      m, 1, {l.constant(0, held).value},
      [&](Value t, const std::vector<Value> &sums) -> std::vector<Value> {
        const Lane x = v.anywhere(
            step, 0, rows ? memory.plus(memory.times(element, m), t) : t);
        const Lane y = v.anywhere(
            step, 1, rows ? t : memory.plus(memory.times(t, n), element));
        return {
            l.add({sums[0], held}, l.as(termOf(step, x, y, v), held)).value};
      })[0];
  return wrap(l, {sum, held}, step.code.width);
}

/// An element of a matrix and of a product of two vectors.
static Lane outerElement(const Step &step, const At &at, Visit &v) {
  Lanes &l = v.l;
  const unsigned held = holding(step.code.width);
  const Value element = v.memory.number(at);
  const Value m = v.memory.number(step.code.m);
  const Value i = mlir::arith::DivUIOp::create(v.b, l.loc, element, m);
  const Value j = mlir::arith::RemUIOp::create(v.b, l.loc, element, m);
  const Lane y = v.anywhere(step, 1, j), x = v.anywhere(step, 0, i);
  const Lane term = termOf(step, x, y, v);
  const Lane sum = l.add(l.as(v.element(step, 2, at), held), l.as(term, held));
  return wrap(l, sum, step.code.width);
}

/// One pass for each mark, as in the reference: the largest element that has
/// none yet gets it, and of equal ones the first.
static void writeMarks(const Step &step, Visit &v) {
  Lanes &l = v.l;
  Memories &memory = v.memory;
  const Value n = memory.number(step.code.n);
  // Marks are made behind all registers, because a mask may hold for the
  // result.
  const uint32_t marks = v.state.plan.marks;
  v.readAhead(step);
  auto mark = [&](Value i) {
    return memory.load(Space::Register, {marks, i}, 64);
  };
  auto setMark = [&](Value i, const Lane &value) {
    memory.store(Space::Register, {marks, i}, value);
  };
  v.loops.forEach(n, 1, [&](Value i) { setMark(i, l.constant(0, 64)); });
  v.loops.forEach(memory.number(step.code.m), 1, [&](Value) {
    const Lane none = l.constant(-1, 64);
    const Value best = v.loops.forEach(
        n, 1, {none.value, l.constant(INT64_MIN, 64).value},
        [&](Value i, const std::vector<Value> &so) -> std::vector<Value> {
          const Lane where{so[0], 64}, largest{so[1], 64};
          const Lane x = l.as(v.anywhere(step, 0, i), 64);
          const Lane larger =
              l.either(l.compare(CmpIPredicate::eq, where, none),
                       l.compare(CmpIPredicate::sgt, x, largest));
          const Lane free =
              l.compare(CmpIPredicate::eq, mark(i), l.constant(0, 64));
          const Lane takes = l.both(larger, free);
          return {l.choose(takes, l.repeat(i, 64), where).value,
                  l.choose(takes, x, largest).value};
        })[0];
    v.loops.forEach(n, 1, [&](Value i) {
      const Lane is = l.compare(CmpIPredicate::eq, {best, 64}, l.repeat(i, 64));
      setMark(i, l.either(mark(i), l.as(is, 64)));
    });
  });
  v.loops.forEach(n, 1, [&](Value i) {
    v.put(step, {0, i}, mark(i));
    v.state.vectors.clear();
  });
  v.forget(step);
}

void populateSumPatterns(mlir::RewritePatternSet &patterns, VisitState &state) {
  patterns.add<WriteStep<MicroOp::Dot, writeReduction>,
               WriteStep<MicroOp::Sum, writeReduction>,
               WriteStep<MicroOp::Maximum, writeReduction>,
               WriteEach<MicroOp::MatVec, matrixElement>,
               WriteEach<MicroOp::VecMat, matrixElement>,
               WriteEach<MicroOp::Outer, outerElement>,
               WriteStep<MicroOp::TopK, writeMarks>>(patterns.getContext(),
                                                     state);
}

} // namespace dendrolith::native::program
