// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How every instruction reads in a listing, as MicroOps.def words it.

#include "runtime/microcode/Disassemble.h"
#include "tests/runtime/MicrocodeFixture.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dendrolith::test {
namespace {

/// The line of one instruction of the small program, without its number.
std::string lineOf(const Instruction &code) {
  image::Microprogram program = microProgram().cores(0).programs(0);
  program.set_code(micro::encodeCode({code}));
  program.clear_names();
  std::string text = micro::disassemble(program, "program");
  size_t begin = text.find("      0  ");
  EXPECT_NE(begin, std::string::npos) << text;
  begin += 9;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// An instruction of 24 bits on registers, with fields that differ.
Instruction of(MicroOp op, uint32_t n, uint32_t m) {
  Instruction i = instruction(op, 24, n, reg(0), reg(10));
  if (operandsOf(op) > 1)
    i.b = reg(20);
  if (operandsOf(op) > 2)
    i.c = reg(30);
  i.m = m;
  i.imm = 7;
  i.shift = -4;
  i.rounding = micro::Rounding::NearestEven;
  i.predicate = micro::Predicate::LE;
  return i;
}

TEST(Disassemble, EveryInstruction) {
  struct Line {
    MicroOp op;
    uint32_t n, m;
    const char *text;
  };
  const std::vector<Line> lines = {
      {MicroOp::Move, 2, 0, "move    r0..1 = r10..11"},
      {MicroOp::Add, 1, 0, "add     r0 = r10 + r20, 24 bits"},
      {MicroOp::Sub, 1, 0, "sub     r0 = r10 - r20, 24 bits"},
      {MicroOp::Mul, 1, 0, "mul     r0 = r10 * r20 >> 4 nearest even, 24 bits"},
      {MicroOp::Neg, 1, 0, "neg     r0 = -r10"},
      {MicroOp::Abs, 1, 0, "abs     r0 = r10"},
      {MicroOp::Min, 1, 0, "min     r0 = r10, r20"},
      {MicroOp::Max, 1, 0, "max     r0 = r10, r20"},
      {MicroOp::Clamp, 1, 0, "clamp   r0 = r10, r20, r30"},
      {MicroOp::Compare, 1, 0, "cmp     r0 = r10 <= r20"},
      {MicroOp::Select, 1, 0, "sel     r0 = r10 ? r20 : r30"},
      {MicroOp::Scale, 1, 0, "scale   r0 = r10 >> 4 nearest even, 24 bits"},
      {MicroOp::Shift, 1, 0, "shift   r0 = r10 << r20 nearest even"},
      {MicroOp::Clz, 1, 0, "clz     r0 = r10"},
      {MicroOp::Table, 1, 4, "table   r0 = r10 in r20..23 from 7 step 2^-4"},
      {MicroOp::Dot, 1, 3,
       "dot     r0 = r10..12, r20..22 >> 4 nearest even, 24 bits"},
      {MicroOp::MatVec, 2, 3,
       "matvec  r0..1 = r10..15, r20..22 >> 4 nearest even, 24 bits"},
      {MicroOp::VecMat, 2, 3,
       "vecmat  r0..1 = r10..12, r20..25 >> 4 nearest even, 24 bits"},
      {MicroOp::Outer, 6, 3,
       "outer   r0..5 = r10..11, r20..22, r30..35 >> 4 nearest even, 24 bits"},
      {MicroOp::Sum, 1, 3, "sum     r0 = r10..12"},
      {MicroOp::Maximum, 1, 3, "maximum r0 = r10..12"},
      {MicroOp::TopK, 3, 2, "topk    r0..2 = 2 largest r10..12"},
      {MicroOp::Ladder, 1, 5,
       "ladder  r0 = r10 shift r20 scale r30, 10 rungs of 7 2^-4"},
      {MicroOp::Skip, 1, 0, "skip    unless r10: 0 instructions"},
      {MicroOp::Emit, 1, 0, "emit    s <- r10"},
  };
  EXPECT_EQ(lines.size(), kMicroOps);
  for (const Line &line : lines)
    EXPECT_EQ(lineOf(of(line.op, line.n, line.m)), line.text);
}

TEST(Disassemble, SaturatedAndShiftedToTheLeft) {
  Instruction code = of(MicroOp::Scale, 1, 0);
  code.shift = 3;
  code.saturate = true;
  EXPECT_EQ(lineOf(code), "scale   r0 = r10 << 3, 24 bits saturated");
}

} // namespace
} // namespace dendrolith::test
