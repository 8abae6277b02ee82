// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/jit/Compiler.h"

#include "runtime/session/jit/Arithmetic.h"
#include "runtime/session/jit/Body.h"
#include "runtime/session/jit/MachineCode.h"
#include "runtime/session/jit/Plan.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>

namespace neurite::sim::jit {

using micro::Operand;
using micro::Space;

struct Compiler::Parts {
  Parts() : context(mlir::MLIRContext::Threading::DISABLED) {
    loadDialects(context);
  }
  mlir::MLIRContext context;
  MachineCode code;
};

Compiler::Compiler() = default;
Compiler::~Compiler() = default;

/// Longer programs take longer to compile than anything gains.
constexpr size_t kMostInstructions = 2000;
/// Registers of all lanes should stay in the second cache.
constexpr size_t kMostRegisters = 1 << 14;

unsigned lanesFor(uint32_t neurons) {
  return neurons == 1 ? 1 : unsigned(MicroProgram::kLanes);
}

std::string keyOf(const MicroProgram &program) {
  std::vector<micro::Instruction> code = program.code();
  std::string key = fmt::format("{} {}\n", lanesFor(program.count()),
                                program.registerWords());
  for (const MicroProgram::Output &output : program.outputs())
    key += fmt::format("{} {} ", output.low, output.high);
  for (size_t i = 0; i < code.size(); ++i) {
    Step step;
    step.code = code[i];
    step.bits = program.operandBits()[i];
    const int open = openAmount(step);
    if (open)
      code[i].shift = 0;
    key += fmt::format("{} {} {} {} ", step.bits.a, step.bits.b, step.bits.c,
                       open);
    // What counts of a parameter is where its words are.
    for (Operand *operand : {&code[i].a, &code[i].b, &code[i].c})
      if (operand->space == Space::Param) {
        const MicroProgram::ParamWord &word = program.params()[operand->index];
        operand->index = uint32_t(word.index);
        key += word.perNeuron ? "n " : "s ";
      }
  }
  return key + micro::encodeCode(code);
}

std::shared_ptr<const CompiledProgram>
Compiler::compile(const MicroProgram &program) {
  if (program.code().size() > kMostInstructions ||
      program.registerWords() > kMostRegisters || !hasMachineCode())
    return nullptr;
  const std::string key = keyOf(program);
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const CompiledProgram> &entry = known[key];
  if (entry)
    return entry;
  if (!parts)
    parts = std::make_shared<Parts>();
  const Plan plan(program);
  const unsigned lanes = lanesFor(program.count());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      writeBody(parts->context, program, plan, lanes);
  void *address = parts->code.compile(*module, kFunction, lanes == 1);
  auto compiled = std::make_shared<CompiledProgram>();
  compiled->function = reinterpret_cast<CompiledFunction>(address);
  compiled->scratch = plan.words.size() * lanes;
  compiled->code = parts;
  return entry = compiled;
}

std::shared_ptr<ProgramCompiler> compiler() {
  static const std::shared_ptr<ProgramCompiler> one =
      std::make_shared<Compiler>();
  return one;
}

} // namespace neurite::sim::jit
