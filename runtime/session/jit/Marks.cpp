// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `topk` instruction: one pass for each mark, as in the reference. The
// largest element that has none yet gets it, and of equal ones the first.

#include "runtime/session/jit/Steps.h"

namespace dendrolith::sim::jit {

using micro::Space;
using mlir::Value;
using mlir::arith::CmpIPredicate;

void Steps::writeMarks(const Step &step) {
  const Value n = memory.number(step.code.n);
  // Marks are made behind all registers, because a mask may hold for the
  // result.
  const uint32_t marks = v.plan.marks;
  if (step.code.a.scalar)
    v.word(step.code.a.space, step.code.a.index, step.bits.a);
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
    v.put(step, 0, i, mark(i));
    v.endElements();
  });
  v.forget(step);
}

} // namespace dendrolith::sim::jit
