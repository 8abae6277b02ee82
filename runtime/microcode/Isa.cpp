// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/microcode/Isa.h"

#include <algorithm>

namespace neurite::micro {

static MicroClass classOf(MicroOp op) {
  switch (op) {
  case MicroOp::Move:
    return MicroClass::Move;
  case MicroOp::Add:
  case MicroOp::Sub:
  case MicroOp::Neg:
  case MicroOp::Abs:
  case MicroOp::Sum:
    return MicroClass::Add;
  case MicroOp::Mul:
    return MicroClass::Multiply;
  case MicroOp::Dot:
  case MicroOp::MatVec:
  case MicroOp::VecMat:
  case MicroOp::Outer:
    return MicroClass::Mac;
  case MicroOp::Scale:
  case MicroOp::Shift:
  case MicroOp::Clz:
    return MicroClass::Shift;
  case MicroOp::Min:
  case MicroOp::Max:
  case MicroOp::Clamp:
  case MicroOp::Compare:
  case MicroOp::Maximum:
  case MicroOp::TopK:
    return MicroClass::Compare;
  case MicroOp::Select:
    return MicroClass::Select;
  case MicroOp::Table:
    return MicroClass::Table;
  case MicroOp::Ladder:
    return MicroClass::Ladder;
  case MicroOp::Skip:
    return MicroClass::Control;
  case MicroOp::Emit:
    return MicroClass::Emit;
  }
  return MicroClass::Control;
}

/// Element operations of the instruction's own class.
static uint64_t elementsOf(const Instruction &i) {
  switch (i.op) {
  case MicroOp::Dot:
  case MicroOp::Sum:
  case MicroOp::Maximum:
    return i.m;
  case MicroOp::MatVec:
  case MicroOp::VecMat:
  case MicroOp::TopK: // one pass over the elements for each that is marked
    return uint64_t(i.n) * i.m;
  case MicroOp::Ladder:
    return 2 * uint64_t(i.n) * i.m;
  case MicroOp::Skip:
    return 1;
  default:
    return i.n;
  }
}

uint64_t extentOf(const Instruction &i, unsigned operand) {
  const Operand &o = operand == 0 ? i.a : operand == 1 ? i.b : i.c;
  if (o.space == Space::None)
    return 0;
  if (o.scalar)
    return 1;
  switch (i.op) {
  case MicroOp::Dot:
  case MicroOp::Sum:
  case MicroOp::Maximum:
    return i.m;
  case MicroOp::MatVec:
    return operand == 0 ? uint64_t(i.n) * i.m : i.m;
  case MicroOp::VecMat:
    return operand == 0 ? i.m : uint64_t(i.n) * i.m;
  case MicroOp::Outer:
    if (i.m == 0)
      return i.n;
    return operand == 0 ? i.n / i.m : operand == 1 ? i.m : i.n;
  case MicroOp::Table:
    return operand == 1 ? i.m : i.n;
  case MicroOp::Skip:
    return 1;
  default:
    return i.n;
  }
}

Work workOf(const Instruction &i) {
  Work work{};
  auto add = [&](MicroClass kind, uint64_t elements) {
    work[static_cast<size_t>(kind)] += elements;
  };
  add(classOf(i.op), elementsOf(i));
  const Operand *operands[] = {&i.a, &i.b, &i.c};
  for (unsigned o = 0; o < 3; ++o) {
    Space space = operands[o]->space;
    bool knots = i.op == MicroOp::Table && o == 1;
    if (!knots && (space == Space::Port || space == Space::State ||
                   space == Space::Param))
      add(MicroClass::Load, extentOf(i, o));
  }
  if (i.d.space == Space::State)
    add(MicroClass::Store, i.n);
  return work;
}

unsigned bitsOf(int64_t x) {
  uint64_t magnitude = static_cast<uint64_t>(x < 0 ? ~x : x);
  unsigned used = 0;
  while (magnitude >> used > 1)
    ++used;
  return used + 2;
}

unsigned resultBits(const Instruction &i, const OperandBits &bits) {
  switch (i.op) {
  case MicroOp::Move:
  case MicroOp::Maximum:
    return bits.a;
  case MicroOp::Min:
  case MicroOp::Max:
    return std::max(bits.a, bits.b);
  case MicroOp::Clamp:
    return std::max({bits.a, bits.b, bits.c});
  case MicroOp::Select:
    return std::max(bits.b, bits.c);
  case MicroOp::Table:
    return bits.b;
  case MicroOp::Compare:
  case MicroOp::TopK:
    return 2; // 0 or 1
  case MicroOp::Clz:
    return 8; // -64 to 64
  case MicroOp::Ladder:
    return bitsOf(i.m);
  case MicroOp::Shift: // to the right nothing is cut off
    return std::max({bits.a, unsigned(i.width), 2u});
  default:
    return std::max<unsigned>(i.width, 2);
  }
}

} // namespace neurite::micro
