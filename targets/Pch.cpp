// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries the precompiled headers of what needs neither MLIR nor protobuf.
