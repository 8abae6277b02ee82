// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kind of network says about its checkpoints. A folder beside this file,
// with the name of its folder in models/, defines one or more kinds, and
// Npz.cpp lists them: a new kind is a folder and a line there.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_KIND_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_KIND_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/npz/common/Archive.h"

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace dendrolith::npz {

/// A kind of network whose checkpoints are read.
struct CheckpointKind {
  /// The network's name in messages: "MMDEND".
  std::string network;
  /// The folder whose README.md describes it: "models/mmdend".
  std::string folder;
  /// The words for it in "neuron" of the checkpoint's meta.
  std::vector<std::string> neurons;
  /// Keys that checkpoints of this kind have and those of other folders lack.
  /// Where meta names no neuron, the first kind of the list with any of them is
  /// the checkpoint's.
  std::vector<std::string> keys;
  /// Reads the arrays, checks them, and fills `model`, whose name is set: its
  /// module, which is verified by the caller, warnings and examples. Throws
  /// dendrolith::Error naming file and key.
  void (*read)(Archive &archive, mlir::MLIRContext &context,
               ImportedModel &model);
};

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_KIND_H
