// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_IMPORT_MODEL_H
#define NEURITE_COMPILER_IMPORT_MODEL_H

#include "compiler/import/nir/Options.h"
#include "runtime/Signals.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace neurite {

/// A model as the compiler takes it.
struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< holds one dend.network
  std::string name;                         ///< of the network
  nir::Policies policies;                   ///< what was chosen, to print
  std::vector<std::string> warnings;
  /// Samples of the inputs that came with the model, by input.
  std::map<std::string, Samples> examples;
  /// Integers and their cores are in the file: nothing is left to calibrate.
  bool complete = false;
};

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_MODEL_H
