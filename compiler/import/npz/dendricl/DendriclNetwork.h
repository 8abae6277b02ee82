// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network of a DendriCL checkpoint whose numbers are constants already.
//
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_DENDRICLNETWORK_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_DENDRICLNETWORK_H

#include "compiler/import/npz/common/NetworkText.h"
#include "targets/support/Error.h"

namespace dendrolith::npz {

struct DendriclMeta {
  /// `micro` passes per token of a soma whose potential starts at 0 in each
  /// token, one pass without a potential, or one pass with a potential that
  /// lives through the sample.
  enum class Soma { Virtual, Memoryless, Leaky };
  Soma soma = Soma::Virtual;
  int64_t micro = 4;
  double decay = 0.75; ///< what a pass keeps of the potential
  /// Whether the read-out adds Ry times the apical prediction.
  bool readsPrediction = false;
  /// Somas and block of a DendriCNN do not spike: a unit passes on how
  /// far its potential is above its threshold, once per token.
  bool spikes = true;
};

struct Dendricl {
  DendriclMeta meta;
  int64_t features = 0; ///< d; a token is [x (d); y; flag]
  int64_t apical = 0;   ///< d_a elements of u
  int64_t somas = 0;    ///< d_m
  int64_t blocks = 0;   ///< rows of F1
  /// Each layer has an apical dendrite of its own; a soma above the first sees
  /// the somas below in place of the token.
  int64_t layers = 1;
  /// The constants by the names that models/dendricl/reference.py exports: the
  /// gains g_A and g_B are in WO and WB; F2 is over n_micro, as a token's
  /// spikes add up. Those of the layers above the first end in suffixOf().
  Constants constants;
  Warnings warnings;
};

/// What names of a layer end in: "" for the first, then "_1", "_2", ...
std::string suffixOf(int64_t layer);

/// Creates a network with input @x (graded; its query flag and label are
/// named), populations @apical (one neuron, state "u"), @soma and @block (state
/// "v" unless memoryless), @ff2 and @out (linear), and @apical_1 and @soma_1,
/// ... of the layers above the first; output @y on the token's clock, decoded
/// by "last=1". The network is not verified here.
mlir::OwningOpRef<mlir::ModuleOp> createDendricl(mlir::MLIRContext &context,
                                                 const std::string &name,
                                                 const Dendricl &checkpoint);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_DENDRICLNETWORK_H
