// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Steps.h"

namespace dendrolith::native::program {

using micro::Instruction;
using micro::Operand;
using micro::Space;
using mlir::Value;
using mlir::arith::CmpIPredicate;

Steps::Steps(Visit &visit)
    : v(visit), l(visit.l), memory(visit.memory), arithmetic(visit.l) {
  loadAmounts(v.plan.nodes);
}

void Steps::loadAmounts(const std::vector<Node> &nodes) {
  const mlir::Type number = v.b.getI64Type();
  for (const Node &node : nodes) {
    for (const Step &step : node.steps)
      if (openAmount(step))
        amounts[step.number] =
            memory.load(number, memory.at(Arguments::Amounts, number,
                                          memory.number(step.number)));
    loadAmounts(node.inside);
  }
}

Lane Steps::beginning(const Step &step) {
  if (step.code.op != MicroOp::Maximum)
    return l.constant(0, holding(step.code.width));
  return l.constant(llvm::APInt::getSignedMinValue(holding(step.bits.a)));
}

Lane Steps::reduce(const Step &step, const Lane &sum, uint32_t e,
                   Value dynamic) {
  Lane x = v.element(step, 0, e, dynamic);
  if (step.code.op == MicroOp::Maximum)
    return l.most(sum, l.as(x, sum.held));
  if (step.code.op == MicroOp::Dot)
    x = arithmetic.term(step, x, v.element(step, 1, e, dynamic),
                        amounts[step.number]);
  return l.add(sum, l.as(x, sum.held));
}

void Steps::finish(const Step &step, const Lane &sum) {
  v.put(step, 0, Value(),
        step.code.op == MicroOp::Maximum
            ? sum
            : arithmetic.wrap(sum, step.code.width));
}

Lane Steps::compute(const Step &step, uint32_t e, Value dynamic) {
  const Value at = dynamic ? dynamic : memory.number(e);
  switch (step.code.op) {
  case MicroOp::Emit:
    send(step, v.element(step, 0, e, dynamic), e, dynamic);
    return {};
  case MicroOp::Table: {
    const Operand &knots = step.code.b;
    return arithmetic.table(
        step, v.element(step, 0, e, dynamic), [&](const Lane &k) {
          if (knots.scalar)
            return v.word(knots.space, knots.index, step.bits.b);
          return memory.gather(knots.space, knots.index, k, step.bits.b);
        });
  }
  case MicroOp::MatVec:
  case MicroOp::VecMat:
    return product(step, at);
  case MicroOp::Outer:
    return outer(step, e, at, dynamic);
  default: {
    const Lane operands[] = {v.element(step, 0, e, dynamic),
                             v.element(step, 1, e, dynamic),
                             v.element(step, 2, e, dynamic)};
    return arithmetic.element(step, operands, amounts[step.number]);
  }
  }
}

/// An element of a matrix times a vector, or the other way round.
Lane Steps::product(const Step &step, Value at) {
  const Instruction &code = step.code;
  const unsigned held = holding(code.width);
  const Value n = memory.number(code.n), m = memory.number(code.m);
  // Words that all terms share are read ahead of the loop.
  for (unsigned o : {0u, 1u})
    if (step.operand(o).scalar)
      v.word(step.operand(o).space, step.operand(o).index, step.bitsOf(o));
  const Value sum = v.loops.forEach(
      m, 1, {l.constant(0, held).value},
      [&](Value t, const std::vector<Value> &sums) -> std::vector<Value> {
        const bool rows = code.op == MicroOp::MatVec;
        const Lane x =
            v.anywhere(step, 0, rows ? memory.plus(memory.times(at, m), t) : t);
        const Lane y =
            v.anywhere(step, 1, rows ? t : memory.plus(memory.times(t, n), at));
        const Lane term = arithmetic.term(step, x, y, amounts[step.number]);
        return {l.add({sums[0], held}, l.as(term, held)).value};
      })[0];
  return arithmetic.wrap({sum, held}, code.width);
}

/// An element of a matrix and of a product of two vectors.
Lane Steps::outer(const Step &step, uint32_t e, Value at, Value dynamic) {
  const unsigned held = holding(step.code.width);
  const Value m = memory.number(step.code.m);
  const Value i = mlir::arith::DivUIOp::create(v.b, l.loc, at, m);
  const Value j = mlir::arith::RemUIOp::create(v.b, l.loc, at, m);
  const Lane term =
      arithmetic.term(step, v.anywhere(step, 0, i), v.anywhere(step, 1, j),
                      amounts[step.number]);
  const Lane sum =
      l.add(l.as(v.element(step, 2, e, dynamic), held), l.as(term, held));
  return arithmetic.wrap(sum, step.code.width);
}

void Steps::send(const Step &step, Lane value, uint32_t e, Value dynamic) {
  const Program::Range &output = v.program.outputs[step.code.m];
  value = l.as(value, 64);
  value = l.least(l.most(value, l.constant(output.low, 64)),
                  l.constant(output.high, 64));
  value = l.choose({v.activeLanes(), 1}, value, l.constant(0, 64));
  memory.send({step.sent + (dynamic ? 0 : e), dynamic}, value);
  if (l.count == 1)
    return; // whoever reads what a single neuron sends looks at all of it
  const Value before = v.isSet(Arguments::Any, memory.neuron);
  v.setBytes(Arguments::Any, memory.neuron,
             l.either({before, 1}, {l.isNotZero(value), 1}).value);
}

// One pass for each mark, as in the reference: the largest element that has
// none yet gets it, and of equal ones the first.
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

} // namespace dendrolith::native::program
