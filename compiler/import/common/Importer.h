// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kind of model file brings along so that it can be read: a folder
// beside this file defines one Importer, and Import.cpp lists it.

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_IMPORTER_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_IMPORTER_H

#include "runtime/host/Signals.h"
#include "targets/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

// What an importer or the compiler chose where the model leaves it open.

/// Each choice is an option and the value that was used, in the order in which
/// they were made. They are printed beside the result and stored in the image.
using Choices = std::vector<std::pair<std::string, std::string>>;

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
/// which they apply. One of another importer than the model's is refused.
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

// Names that an importer gives to what it makes.

/// The symbols of the network. Names from the file are taken first, so that a
/// name that is made up gives way to them.
class Names {
public:
  void take(const std::string &name) { taken.insert(name); }
  /// Gives the name itself or, if it is taken, with the first free number
  /// behind it.
  std::string fresh(const std::string &name) {
    std::string candidate = name;
    for (unsigned i = 1; !taken.insert(candidate).second; ++i)
      candidate = name + "_" + std::to_string(i);
    return candidate;
  }

private:
  std::set<std::string> taken;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_IMPORTER_H
