// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/microcode/OperandBits.h"

#include <algorithm>

namespace dendrolith::micro {

std::vector<OperandBits> operandBits(const std::vector<Instruction> &code,
                                     uint32_t registerWords, WordBits words,
                                     const std::vector<int64_t> &constants) {
  std::vector<unsigned> registers(registerWords, 1);
  for (std::vector<unsigned> *memory :
       {&words.ports, &words.states, &words.params})
    for (unsigned &bits : *memory)
      bits = std::max(bits, 2u);
  auto bitsOfWord = [&](Space space, size_t index) -> unsigned {
    switch (space) {
    case Space::Register:
      return registers[index];
    case Space::Port:
      return words.ports[index];
    case Space::State:
      return words.states[index];
    case Space::Param:
      return words.params[index];
    default:
      return bitsOf(constants[index]);
    }
  };
  auto bitsOfOperand = [&](const Operand &operand, uint64_t extent) {
    unsigned bits = 1;
    for (uint64_t i = 0; i < extent; ++i)
      bits = std::max(bits, bitsOfWord(operand.space, operand.index + i));
    return bits;
  };
  std::vector<OperandBits> all;
  size_t regionEnd = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    const Instruction &each = code[i];
    const OperandBits bits{bitsOfOperand(each.a, extentOf(each, 0)),
                           bitsOfOperand(each.b, extentOf(each, 1)),
                           bitsOfOperand(each.c, extentOf(each, 2))};
    all.push_back(bits);
    if (each.op == MicroOp::Skip)
      regionEnd = std::max(regionEnd, i + 1 + each.m);
    if (!hasResult(each.op))
      continue;
    const unsigned result = resultBits(each, bits);
    const bool inState = each.d.space == Space::State;
    for (uint32_t e = 0; e < each.n; ++e) {
      unsigned &word = (inState ? words.states : registers)[each.d.index + e];
      word = i < regionEnd || inState ? std::max(word, result) : result;
    }
  }
  return all;
}

} // namespace dendrolith::micro
