// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_MODEL_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_MODEL_H

#include "compiler/import/common/Choices.h"
#include "runtime/host/Signals.h"
#include "targets/support/Warning.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace dendrolith {

/// A node of the model's file and where in the network it went.
struct ModelNode {
  std::string name, type;
  uint64_t weights = 0; ///< numbers in its weight and bias
  /// The population that it is, or those (and inputs) that it lies between.
  std::vector<std::string> populations, sources;
  bool isPopulation = false;
};

/// A model as the compiler takes it.
struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< holds one dend.network
  std::string name;                         ///< the network's
  Choices choices; ///< what the file left open, and what was chosen
  Warnings warnings;
  std::vector<ModelNode> nodes; ///< those of a NIR file, in its order
  /// Samples of the inputs that came with the model, by input.
  std::map<std::string, Samples> examples;
  /// Integers and their cores are in the file: nothing is left to calibrate.
  bool complete = false;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_MODEL_H
