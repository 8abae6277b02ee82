// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a checkpoint of ELM (eq. 1 of the paper): checks its arrays and turns
// them into constants. models/elm/README.md has keys, equations and the paper.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_ELM_ELM_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_ELM_ELM_H

#include "compiler/import/npz/common/Kind.h"
#include "compiler/import/npz/common/NetworkText.h"

namespace dendrolith::npz {

CheckpointKind elmKind();

// The network of an ELM checkpoint whose numbers are constants already.
//
// ELM: A. Spieler, G. Martius, A. Levina, Scaling Laws and Tradeoffs in
// Recurrent Networks of Expressive Neurons, 2026,
// https://arxiv.org/abs/2605.12049

/// The sizes of a layer, whose constants are LAYER_W1, LAYER_km, ...
struct ElmLayer {
  int64_t neurons = 0, trees = 0, memories = 0;
  int64_t hidden = 0; ///< units of the MLP's hidden layer; 0 if it has none
};

struct Elm {
  int64_t inputs = 0, classes = 0;
  bool binary = false; ///< a is 0 or 1, else what is above 0
  ElmLayer rec, ro;
  /// By the names that models/elm/reference.py exports; rec_Win, rec_Wrec and
  /// ro_Win are sparse here and hold c. Absent where there is no synapse.
  Constants constants;
};

/// Creates a network with input @u (graded), populations @rec (states "m" and
/// "r", output "a"), @ro (state "m", output "y") and @out (linear); output
/// @scores, decoded by "last=1". Synapses stay sparse. The network is not
/// verified here.
mlir::OwningOpRef<mlir::ModuleOp>
createElm(mlir::MLIRContext &context, const std::string &name, Elm checkpoint);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_ELM_ELM_H
