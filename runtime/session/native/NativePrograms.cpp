// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/native/NativePrograms.h"

#include "compiler/native/MachineCode.h"
#include "compiler/native/program/WriteProgram.h"
#include "targets/support/Error.h"

namespace dendrolith {

using native::program::Program;

static_assert(native::program::kLanes == sim::MicroProgram::kLanes);

struct NativePrograms::Cache : native::CodeCache<sim::CompiledProgram> {};

NativePrograms::NativePrograms() : cache(std::make_unique<Cache>()) {}
NativePrograms::~NativePrograms() = default;

/// Longer programs take longer to compile than anything gains.
constexpr size_t kMostInstructions = 2000;
/// Registers of all lanes should stay in the second cache.
constexpr size_t kMostRegisters = 1 << 14;

static constexpr const char *kFunction = "visit";

static Program programOf(const sim::MicroProgram &micro) {
  Program program;
  program.code = micro.code();
  program.operandBits = micro.operandBits();
  program.registers = micro.registerWords();
  for (const sim::MicroProgram::Output &output : micro.outputs())
    program.outputs.push_back({output.low, output.high});
  for (const sim::MicroProgram::ParamWord &word : micro.params())
    program.params.push_back({word.perNeuron, word.index});
  return program;
}

static sim::CompiledProgram compileProgram(const Program &program,
                                           unsigned lanes,
                                           native::MachineCode &code) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  native::loadDialects(context);
  mlir::OpBuilder b(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  const mlir::FailureOr<size_t> scratch =
      native::program::writeProgram(b, program, lanes, kFunction);
  if (failed(scratch))
    throw Error("jit: no code could be written for a program");
  sim::CompiledProgram compiled;
  compiled.scratch = *scratch;
  compiled.function = reinterpret_cast<sim::CompiledFunction>(
      code.compile(*module, kFunction, lanes == 1));
  return compiled;
}

std::shared_ptr<const sim::CompiledProgram>
NativePrograms::compile(const sim::MicroProgram &micro) {
  if (micro.code().size() > kMostInstructions ||
      micro.registerWords() > kMostRegisters || !native::hasMachineCode())
    return nullptr;
  const Program program = programOf(micro);
  const unsigned lanes = micro.count() == 1 ? 1 : native::program::kLanes;
  return cache->get(keyOf(program, lanes), [&](native::MachineCode &code) {
    return compileProgram(program, lanes, code);
  });
}

std::shared_ptr<sim::ProgramCompiler> nativePrograms() {
  static const std::shared_ptr<sim::ProgramCompiler> one =
      std::make_shared<NativePrograms>();
  return one;
}

} // namespace dendrolith
