// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are drawn by pieces: the rungs that a potential has reached,
// and lines between the knots of a table.

#include "runtime/session/jit/Arithmetic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace dendrolith::sim::jit {

using mlir::Value;
using mlir::arith::CmpIPredicate;

Lane Arithmetic::ladder(const Step &step, const Lane *operands) {
  const micro::Instruction &code = step.code;
  const unsigned p = code.shift < 0 ? unsigned(-int(code.shift)) : 0;
  const unsigned q = code.shift > 0 ? unsigned(code.shift) : 0;
  const unsigned far = step.bits.c + micro::bitsOf(code.imm) +
                       micro::bitsOf(int64_t(code.m) + 1) + q;
  const unsigned near = std::max(step.bits.a, step.bits.b) + p;
  const unsigned held = holding(std::min(std::max(far, near) + 2, 128u));
  const Lane up = l.constant(p, held);
  const Lane height = l.shiftLeft(l.as(operands[0], held), up);
  const Lane each = l.shiftLeft(
      l.mul(l.as(operands[2], held),
            l.constant(llvm::APInt(64, uint64_t(code.imm)).sextOrTrunc(held))),
      l.constant(q, held));
  const Lane first = l.sub(l.shiftLeft(l.as(operands[1], held), up),
                           l.mul(each, l.constant(int64_t(code.m) - 1, held)));
  Lane rung = first, reached = l.constant(-int64_t(code.m), 32);
  auto climb = [&](const Lane &at, const Lane &sum) {
    return l.add(sum, l.as(l.compare(CmpIPredicate::sge, height, at), 32));
  };
  const uint64_t rungs = 2 * uint64_t(code.m);
  if (rungs <= 16) {
    for (uint64_t k = 0; k < rungs; ++k, rung = l.add(rung, each))
      reached = climb(rung, reached);
    return reached;
  }
  auto index = [&](int64_t i) -> Value {
    return mlir::arith::ConstantIndexOp::create(l.b, l.loc, i);
  };
  auto loop =
      mlir::scf::ForOp::create(l.b, l.loc, index(0), index(int64_t(rungs)),
                               index(1), {rung.value, reached.value});
  mlir::OpBuilder::InsertionGuard guard(l.b);
  l.b.setInsertionPointToEnd(loop.getBody());
  const Lane at{loop.getRegionIterArgs()[0], held};
  const Lane sum{loop.getRegionIterArgs()[1], 32};
  const Lane nextSum = climb(at, sum), next = l.add(at, each);
  mlir::scf::YieldOp::create(l.b, l.loc, {next.value, nextSum.value});
  return {loop.getResult(1), 32};
}

Lane Arithmetic::table(const Step &step, const Lane &given, const Knot &knot) {
  const micro::Instruction &code = step.code;
  const Lane x = l.as(given, 64), zero = l.constant(0, 64);
  const Lane start = l.constant(code.imm, 64);
  const Lane before = l.compare(CmpIPredicate::sle, x, start);
  // How far x lies behind the first knot, without a sign.
  const Lane offset = l.choose(before, zero, l.sub(x, start));
  const Lane step2 = l.constant(code.shift, 64);
  const Lane found = l.shiftRightUnsigned(offset, step2);
  const Lane last = l.constant(int64_t(code.m) - 1, 64);
  const Lane beyond = l.compare(CmpIPredicate::uge, found, last);
  // Between the last two knots at most, so that both can be read.
  const Lane k = l.choose(beyond, l.constant(int64_t(code.m) - 2, 64), found);
  const Lane part = l.both(
      offset, l.constant(llvm::APInt::getLowBitsSet(64, unsigned(code.shift))));
  const Lane from = knot(k), to = knot(l.add(k, l.constant(1, 64)));
  const unsigned held =
      holding(std::min(step.bits.b + 2 + unsigned(code.shift), 128u));
  const Lane rise = l.sub(l.as(to, held), l.as(from, held));
  const Lane line =
      l.add(l.as(from, 64), l.as(l.shiftRight(l.mul(rise, l.as(part, held)),
                                              l.constant(code.shift, held)),
                                 64));
  return l.choose(beyond, l.as(to, 64), line);
}

} // namespace dendrolith::sim::jit
