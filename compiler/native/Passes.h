// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_NATIVE_PASSES_H
#define DENDROLITH_COMPILER_NATIVE_PASSES_H

#include "compiler/native/program/StepOps.h"
#include "dialects/chip/Chip.h"
#include "dialects/dend/Dend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace dendrolith {
#define GEN_PASS_DECL
#include "compiler/native/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/native/Passes.h.inc"

/// `native-to-llvm`: what the functions of both passes go through next.
void registerNativePipelines();
} // namespace dendrolith

#endif // DENDROLITH_COMPILER_NATIVE_PASSES_H
