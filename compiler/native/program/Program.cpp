// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Program.h"

#include "compiler/native/program/Scaling.h"

#include <fmt/format.h>

namespace dendrolith::native::program {

std::string keyOf(const Program &program, unsigned lanes) {
  std::vector<micro::Instruction> code = program.code;
  std::string key = fmt::format("{} {}\n", lanes, program.registers);
  for (const Program::Range &output : program.outputs)
    key += fmt::format("{} {} ", output.low, output.high);
  for (size_t i = 0; i < code.size(); ++i) {
    Step step;
    step.code = code[i];
    step.bits = program.operandBits[i];
    const int open = openAmount(step);
    if (open)
      code[i].shift = 0;
    key += fmt::format("{} {} {} {} ", step.bits.a, step.bits.b, step.bits.c,
                       open);
    // What counts of a parameter is where its words are.
    for (micro::Operand *operand : {&code[i].a, &code[i].b, &code[i].c})
      if (operand->space == micro::Space::Param) {
        const Program::ParamWord &word = program.params[operand->index];
        operand->index = uint32_t(word.index);
        key += word.perNeuron ? "n " : "s ";
      }
  }
  return key + micro::encodeCode(code);
}

} // namespace dendrolith::native::program
