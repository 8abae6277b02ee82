// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of step bodies, which keeps what it compiled.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BODYCOMPILER_H
#define DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BODYCOMPILER_H

#include "dialects/dend/fast/CompiledBody.h"

#include <memory>
#include <string>

namespace dendrolith::sim::jit::bodies {

class BodyCompiler : public dend::BodyCompiler {
public:
  BodyCompiler();
  ~BodyCompiler() override;

  std::shared_ptr<const dend::CompiledBody> compile(dend::NeuronOp model,
                                                    int64_t neurons) override;

private:
  struct Cache;
  std::unique_ptr<Cache> cache;
};

/// The one of this process, so that code serves all of its runs.
BodyCompiler &bodyCompiler();

/// What the code of a body depends on, beside how many neurons it updates at a
/// time: bodies that differ in names and numbers alone have the same.
std::string keyOf(dend::NeuronOp model);

} // namespace dendrolith::sim::jit::bodies

#endif // DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BODYCOMPILER_H
