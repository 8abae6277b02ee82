// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/microcode/Isa.h"

#include <algorithm>

namespace dendrolith::micro {

/// Element operations of the instruction's own class.
static uint64_t elementsOf(const Instruction &i) {
  const uint64_t n = i.n, m = i.m;
  switch (shapeOf(i.op)) {
#define MICRO_SHAPE(Name, a, b, c, work, ...)                                  \
  case MicroShape::Name:                                                       \
    return work;
#include "targets/loader/chip/MicroOps.def"
  }
  return n + m; // never reached: every shape has its row
}

uint64_t extentOf(const Instruction &i, unsigned operand) {
  const Operand &o = operand == 0 ? i.a : operand == 1 ? i.b : i.c;
  if (o.space == Space::None)
    return 0;
  if (o.scalar)
    return 1;
  const uint64_t n = i.n, m = i.m;
  switch (shapeOf(i.op)) {
#define MICRO_SHAPE(Name, a, b, c, ...)                                        \
  case MicroShape::Name:                                                       \
    return operand == 0 ? (a) : operand == 1 ? (b) : (c);
#include "targets/loader/chip/MicroOps.def"
  }
  return n + m; // never reached: every shape has its row
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
  const unsigned a = bits.a, b = bits.b, c = bits.c;
  const unsigned width = std::max<unsigned>(i.width, 2);
  const uint32_t m = i.m;
  auto larger = [](unsigned x, unsigned y) { return std::max(x, y); };
  switch (i.op) {
#define MICRO_OP(code, Name, text, kind, operands, shape, bits, ...)           \
  case MicroOp::Name:                                                          \
    return bits;
#include "targets/loader/chip/MicroOps.def"
  }
  return width; // never reached: every op has its row
}

} // namespace dendrolith::micro
