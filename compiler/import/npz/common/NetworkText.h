// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks that are written as text, which shows what they are, and parsed.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_NETWORKTEXT_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_NETWORKTEXT_H

#include "compiler/import/npz/common/Archive.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>

namespace dendrolith::npz {

using Words = std::map<std::string, std::string>;

/// Replaces words in capitals behind a $ by what `words` has for them.
std::string filled(const std::string &text, const Words &words);

/// A constant that the text names.
struct Constant {
  Shape shape;
  Values values;
  /// Pairs (target, source) of sparse synapses; empty for other constants.
  std::vector<int32_t> indices = {};
};
using Constants = std::map<std::string, Constant>;

/// Parses a text with one network, calls it `name`, and adds the constants,
/// those with indices together with NAME.indices. The network is not verified
/// here. Null, and a diagnostic, where the text cannot be parsed.
mlir::OwningOpRef<mlir::ModuleOp> parseNetwork(mlir::MLIRContext &context,
                                               const std::string &text,
                                               const std::string &name,
                                               Constants constants);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_NETWORKTEXT_H
