// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of step bodies, which keeps what it compiled.

#ifndef DENDROLITH_COMPILER_NATIVE_BODYCOMPILER_H
#define DENDROLITH_COMPILER_NATIVE_BODYCOMPILER_H

#include "dialects/dend/fast/CompiledBody.h"

#include <memory>

namespace dendrolith::native {

class BodyCompiler : public dend::BodyCompiler {
public:
  BodyCompiler();
  ~BodyCompiler() override;

  /// Works in the context of the model, which nothing else may use meanwhile.
  std::shared_ptr<const dend::CompiledBody> compile(dend::NeuronOp model,
                                                    int64_t neurons) override;

private:
  struct Cache;
  std::unique_ptr<Cache> cache;
};

/// The one of this process, so that code serves all of its runs.
BodyCompiler &bodyCompiler();

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_BODYCOMPILER_H
