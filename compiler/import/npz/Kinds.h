// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of networks whose checkpoints (NumPy archives) are read. A folder
// beside this file, with the name of its folder in models/, defines one or more
// of them, and Kinds.cpp lists them: a new kind is a folder and a line there.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_KINDS_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_KINDS_H

#include "compiler/import/common/Model.h"
#include "compiler/import/npz/Archive.h"

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace dendrolith::npz {

struct Kind {
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

/// All that there are, in the order in which their keys are looked for.
const std::vector<Kind> &kinds();

/// Finds the kind of a checkpoint by what its meta says, else by its keys, and
/// tells the archive, whose messages then name the kind's folder. Throws Error
/// for a neuron that no kind knows, for keys that are those of another kind
/// than meta names, and for keys of no kind.
const Kind &recognise(Archive &archive);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_KINDS_H
