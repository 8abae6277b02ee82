// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a branch in body ops.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_BRANCHARITHMETIC_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_BRANCHARITHMETIC_H

#include "compiler/transforms/network/BodyBuilder.h"

namespace dendrolith {

/// A complex value as its two parts. If the value is real, `im` is null.
struct Parts {
  mlir::Value re, im;
};

struct BranchStep {
  Parts next;
  mlir::Value drive;
};

/// Writes V' = A V + G I;  d = act(sum_k Re(C_k V'_k) + direct I), in the order
/// of operations of dialects/dend/reference/EvaluateBranch.cpp. Without `gain`,
/// G is 1.
BranchStep branchStep(BodyBuilder b, dend::BranchOp op, Parts state,
                      Parts decay, Parts gain, Parts read);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_BRANCHARITHMETIC_H
