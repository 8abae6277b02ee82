// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/jit/Compiler.h"

#include "runtime/session/jit/Arithmetic.h"
#include "runtime/session/jit/Body.h"
#include "runtime/session/jit/CodeCache.h"
#include "runtime/session/jit/Plan.h"

#include <fmt/format.h>

namespace dendrolith::sim::jit {

using micro::Operand;
using micro::Space;

struct Compiler::Cache : CodeCache<CompiledProgram> {};

Compiler::Compiler() : cache(std::make_unique<Cache>()) {}
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
  return cache->get(
      keyOf(program), [&](mlir::MLIRContext &context, MachineCode &code) {
        const Plan plan(program);
        const unsigned lanes = lanesFor(program.count());
        mlir::OwningOpRef<mlir::ModuleOp> module =
            writeBody(context, program, plan, lanes);
        void *address = code.compile(*module, kFunction, lanes == 1);
        CompiledProgram compiled;
        compiled.function = reinterpret_cast<CompiledFunction>(address);
        compiled.scratch = plan.words.size() * lanes;
        return compiled;
      });
}

std::shared_ptr<ProgramCompiler> compiler() {
  static const std::shared_ptr<ProgramCompiler> one =
      std::make_shared<Compiler>();
  return one;
}

} // namespace dendrolith::sim::jit
