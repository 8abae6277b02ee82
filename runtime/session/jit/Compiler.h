// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of programs, which keeps what it compiled.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_COMPILER_H
#define DENDROLITH_RUNTIME_SESSION_JIT_COMPILER_H

#include "simulator/functional/neuron/Compiled.h"

#include <memory>
#include <string>

namespace dendrolith::sim::jit {

class Compiler : public ProgramCompiler {
public:
  Compiler();
  ~Compiler() override;

  std::shared_ptr<const CompiledProgram>
  compile(const MicroProgram &program) override;

private:
  struct Cache; // of MLIR, which nobody who asks for code needs to know
  std::unique_ptr<Cache> cache;
};

/// The one of this process, so that code serves all of its runs.
std::shared_ptr<ProgramCompiler> compiler();

/// How many neurons the code for a group of so many updates at a time.
unsigned lanesFor(uint32_t neurons);

/// What the code of a program depends on. Programs that differ in numbers that
/// their code reads when it runs (parameters, constants, how far to shift) have
/// the same.
std::string keyOf(const MicroProgram &program);

} // namespace dendrolith::sim::jit

#endif // DENDROLITH_RUNTIME_SESSION_JIT_COMPILER_H
