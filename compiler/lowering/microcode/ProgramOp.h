// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of a vector neuron core on its way into a `chip.program`.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_PROGRAMOP_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_PROGRAMOP_H

#include "dialects/chip/Chip.h"
#include "runtime/microcode/Isa.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

struct Microprogram {
  std::string model; // the neuron model it was made from
  uint32_t registers = 0;
  std::vector<chip::PortAttr::Fields> ports;
  std::vector<chip::StateAttr::Fields> states;
  std::vector<chip::ParamAttr::Fields> params;
  std::vector<chip::EmissionAttr::Fields> outputs;
  std::vector<std::string> names; // of what each instruction computes
  std::vector<int64_t> code;      // rows of kWordsPerInstruction
  std::vector<int64_t> constants;

  size_t instructions() const { return code.size() / kWordsPerInstruction; }

  static constexpr size_t kWordsPerInstruction =
      micro::Instruction::kBytes / sizeof(int64_t);
};

bool operator==(const Microprogram &a, const Microprogram &b);

/// Creates the op; `name` begins the names of its blobs.
chip::ProgramOp createProgram(mlir::OpBuilder &builder, mlir::Location loc,
                              const Microprogram &program,
                              llvm::StringRef name);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_PROGRAMOP_H
