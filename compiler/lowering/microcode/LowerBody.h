// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step body in fixed point as a program of a vector neuron core.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_LOWERBODY_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_LOWERBODY_H

#include "compiler/lowering/microcode/VirtualCode.h"
#include "dialects/chip/Chip.h"
#include "dialects/dend/Dend.h"
#include "runtime/microcode/Isa.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

// A program of a vector neuron core on its way into a `chip.program`.

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

/// What a body cannot know of itself: clocks, biases, and how its outputs
/// leave. One entry per port, state and output of the model.
struct BodyContext {
  struct Emission {
    chip::EmissionKind kind = chip::EmissionKind::Binary;
    int64_t steps = 1;
  };
  const Target *chip = nullptr;
  llvm::SmallVector<bool> biased;        // the port has a bias parameter
  llvm::SmallVector<int64_t> hold;       // updates between clearings
  llvm::SmallVector<int64_t> resetEvery; // updates between resets, 0 = none
  llvm::SmallVector<bool> keep;          // not reset with the sample
  llvm::SmallVector<Emission> outputs;
};

/// The same body and context give the same bytes. After the model's parameters
/// come those of biased ports ("I.bias", one word per neuron and element).
/// Fails with a diagnostic on the op or the model: real values, structure ops,
/// an instruction the target lacks, and programs beyond its words, registers,
/// bytes per neuron or payload bits.
mlir::FailureOr<Microprogram> lowerBody(dend::NeuronOp model,
                                        const BodyContext &context);

/// Whether the target's vector machine can hold and run a program: its
/// instructions, widths, registers, words, bytes per neuron, and what its
/// spikes carry. A diagnostic names the op or the model, what is needed and
/// what there is.
mlir::LogicalResult checkLegal(dend::NeuronOp model, const VirtualCode &code,
                               const Microprogram &program, const Target &chip);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_LOWERBODY_H
