// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/microcode/OpTable.h"

#include <algorithm>

namespace dendrolith {

const std::vector<OpEntry> &opTable() {
  using E = OpEntry;
  static const std::vector<OpEntry> table = {
      {"dend.abs", E::Instruction, MicroOp::Abs, ""},
      {"dend.add", E::Instruction, MicroOp::Add, ""},
      {"dend.branch", E::Earlier, {}, "complex values as pairs, real body ops"},
      {"dend.cable", E::Earlier, {}, "a branch of its modes"},
      {"dend.clamp", E::Instruction, MicroOp::Clamp, ""},
      {"dend.clz", E::Instruction, MicroOp::Clz, ""},
      {"dend.cmp", E::Instruction, MicroOp::Compare, ""},
      {"dend.compartment", E::Earlier, {}, "mul, add"},
      {"dend.concat", E::Expansion, MicroOp::Move, "a move for each operand"},
      {"dend.cuba", E::Earlier, {}, "Loihi 1's neuron in body ops"},
      {"dend.delta_rule", E::Earlier, {}, "mul, sub, add"},
      {"dend.div", E::RealOnly, {}, "in fixed point: reciprocal and mul"},
      {"dend.dot", E::Instruction, MicroOp::Dot, ""},
      {"dend.element", E::Expansion, {}, "addressing: no instruction"},
      {"dend.fire", E::Earlier, {}, "cmp, sub, select"},
      {"dend.join", E::Earlier, {}, "add, max, min"},
      {"dend.literal", E::Expansion, {}, "a constant of the program"},
      {"dend.math", E::Earlier, {}, "recipe: normalise, table, shift"},
      {"dend.matvec", E::Instruction, MicroOp::MatVec, ""},
      {"dend.max", E::Instruction, MicroOp::Max, ""},
      {"dend.min", E::Instruction, MicroOp::Min, ""},
      {"dend.mul", E::Instruction, MicroOp::Mul,
       "with the rescale that alone reads it"},
      {"dend.neg", E::Instruction, MicroOp::Neg, ""},
      {"dend.outer_add", E::Instruction, MicroOp::Outer, ""},
      {"dend.reduce", E::Expansion, MicroOp::Sum, "sum or maximum"},
      {"dend.rescale", E::Instruction, MicroOp::Scale,
       "none where only the width grows"},
      {"dend.roll", E::Expansion, MicroOp::Move, "two moves"},
      {"dend.select", E::Instruction, MicroOp::Select, ""},
      {"dend.shift", E::Instruction, MicroOp::Shift, ""},
      {"dend.slice", E::Expansion, {}, "addressing: no instruction"},
      {"dend.soma", E::Earlier, {}, "mul, add"},
      {"dend.splat", E::Expansion, {}, "a scalar operand: no instruction"},
      {"dend.ssf", E::Instruction, MicroOp::Ladder, ""},
      {"dend.sub", E::Instruction, MicroOp::Sub, ""},
      {"dend.table", E::Instruction, MicroOp::Table, ""},
      {"dend.to_real", E::RealOnly, {}, "a fixed-point value stays one"},
      {"dend.topk", E::Instruction, MicroOp::TopK, ""},
      {"dend.vecmat", E::Instruction, MicroOp::VecMat, ""},
      {"dend.when", E::Expansion, MicroOp::Skip, "moves, skip, region, moves"},
  };
  return table;
}

const OpEntry *opEntry(std::string_view op) {
  const std::vector<OpEntry> &table = opTable();
  auto at = std::lower_bound(table.begin(), table.end(), op,
                             [](const OpEntry &entry, std::string_view name) {
                               return entry.op < name;
                             });
  return at != table.end() && at->op == op ? &*at : nullptr;
}

} // namespace dendrolith
