// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NEURITE_COMPILER_TRANSFORMS_PASSES_H
#define NEURITE_COMPILER_TRANSFORMS_PASSES_H

#include "dialects/dend/Dend.h"

#include "mlir/Pass/Pass.h"

namespace neurite {
#define GEN_PASS_DECL
#include "compiler/transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/Passes.h.inc"
} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_PASSES_H
