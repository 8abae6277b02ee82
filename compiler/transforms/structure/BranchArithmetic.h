// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a branch in body ops.

#ifndef NEURITE_COMPILER_TRANSFORMS_STRUCTURE_BRANCHARITHMETIC_H
#define NEURITE_COMPILER_TRANSFORMS_STRUCTURE_BRANCHARITHMETIC_H

#include "compiler/transforms/network/BodyBuilder.h"

namespace neurite {

/// A complex value as its parts; of a real one `im` is null.
struct Parts {
  mlir::Value re, im;
};

struct BranchStep {
  Parts next;
  mlir::Value drive;
};

/// V' = A V + G I;  d = act(sum_k Re(C_k V'_k) + direct I), in the order of
/// operations of dialects/dend/reference/Branch.cpp. Without `gain` G is 1.
BranchStep branchStep(BodyBuilder b, dend::BranchOp op, Parts state,
                      Parts decay, Parts gain, Parts read);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_STRUCTURE_BRANCHARITHMETIC_H
