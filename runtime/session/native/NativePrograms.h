// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engines' way to compiler/native: the simulator links no MLIR, and the
// compiler knows no engine.

#ifndef DENDROLITH_RUNTIME_SESSION_NATIVE_NATIVEPROGRAMS_H
#define DENDROLITH_RUNTIME_SESSION_NATIVE_NATIVEPROGRAMS_H

#include "simulator/functional/neuron/Compiled.h"

#include <memory>

namespace dendrolith {

/// Compiles programs, and keeps what it compiled.
class NativePrograms : public sim::ProgramCompiler {
public:
  NativePrograms();
  ~NativePrograms() override;

  std::shared_ptr<const sim::CompiledProgram>
  compile(const sim::MicroProgram &program) override;

private:
  struct Cache; // of MLIR, which no engine includes
  std::unique_ptr<Cache> cache;
};

/// The one of this process, so that code serves all of its runs.
std::shared_ptr<sim::ProgramCompiler> nativePrograms();

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_SESSION_NATIVE_NATIVEPROGRAMS_H
