// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_DIALECTS_DECLAREDATTRIBUTES_TD
#define DENDROLITH_DIALECTS_DECLAREDATTRIBUTES_TD

include "mlir/IR/OpBase.td"

// An operation has no attribute but those that it declares and those whose names
// begin with a dialect's, so that a misspelt one is an error.
def DeclaredAttributes : NativeOpTrait<"DeclaredAttributes"> {
  let cppNamespace = "::dendrolith";
}

#endif // DENDROLITH_DIALECTS_DECLAREDATTRIBUTES_TD
