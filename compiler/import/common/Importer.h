// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kind of model file brings along so that it can be read: a folder
// beside this file defines one Importer, and Import.cpp lists it.

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_IMPORTER_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_IMPORTER_H

#include "compiler/import/common/Choices.h"
#include "runtime/host/Signals.h"
#include "targets/support/Warning.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

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

/// Options of importers as they were given: name and value, in the order in
/// which they apply. Options of another importer than the model's do nothing.
using ImportOptions = std::vector<std::pair<std::string, std::string>>;

struct Importer {
  /// Ends of file names, each with its dot: ".nir", ".lava.pb".
  std::vector<std::string> extensions;
  /// What such a file is, for people.
  std::string description;
  /// Reads a file with one of the extensions; `options` are of this importer
  /// and have passed check(). Throws dendrolith::Error.
  ImportedModel (*read)(mlir::MLIRContext &context, const std::string &path,
                        const ImportOptions &options);

  struct Option {
    std::string name; ///< on the command line behind "--"
    std::string help;
  };
  /// In the order in which they apply when several are given.
  std::vector<Option> options = {};
  /// Throws dendrolith::Error for a value that the option cannot have. Null if
  /// there are no options.
  void (*check)(const std::string &name, const std::string &value) = nullptr;

  /// Whether the file's name has one of the extensions.
  bool matches(const std::string &path) const;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_IMPORTER_H
