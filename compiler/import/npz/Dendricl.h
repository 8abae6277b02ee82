// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A DendriCL checkpoint (eq. 1 of the paper; models/dendricl/README.md has its
// keys and equations): checked, turned into constants, and made a network.

#ifndef NEURITE_COMPILER_IMPORT_NPZ_DENDRICL_H
#define NEURITE_COMPILER_IMPORT_NPZ_DENDRICL_H

#include "compiler/import/npz/Archive.h"
#include "compiler/import/npz/Meta.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace neurite::npz {

struct Dendricl {
  struct Constant {
    Shape shape;
    Values values;
  };
  Meta meta;
  int64_t features = 0; ///< d; a token is [x (d); y; flag]
  int64_t apical = 0;   ///< d_a elements of u
  int64_t somas = 0;    ///< d_m
  int64_t blocks = 0;   ///< rows of F1
  /// By the names of models/dendricl/reference.py's export: the gains g_A and
  /// g_B are in WO and WB; F2 is over n_micro, as a token's spikes add up.
  std::map<std::string, Constant> constants;
  std::vector<std::string> warnings;
  std::optional<Samples> examples;
};

/// Throws neurite::Error naming file and key. Warns when the mean step of the
/// delta rule, gamma times the mean eigenvalue of WA^T WA, is above 2 / (d +
/// 2), beyond which it diverges on x of unit variance.
Dendricl readDendricl(Archive &archive, const Meta &meta);

/// Input @x (graded; its query flag and label are named), populations @apical
/// (one neuron, state "u"), @soma and @block (state "v" unless memoryless),
/// @ff2 and @out (linear); output @y on the token's clock, decoded by "last=1".
/// Not verified.
mlir::OwningOpRef<mlir::ModuleOp> createDendricl(mlir::MLIRContext &context,
                                                 const std::string &name,
                                                 const Dendricl &checkpoint);

} // namespace neurite::npz

#endif // NEURITE_COMPILER_IMPORT_NPZ_DENDRICL_H
