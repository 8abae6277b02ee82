// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries the precompiled MLIR headers of the dialects and the compiler.
