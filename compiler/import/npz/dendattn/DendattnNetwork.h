// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network of a DendAttn checkpoint whose numbers are constants already.
//
// DendAttn: K. Wang et al., Biologically Inspired Neuron Structures for
// Versatile Foundation Models, manuscript; models/dendattn/README.md cites it
// in full.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDATTN_DENDATTNNETWORK_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDATTN_DENDATTNNETWORK_H

#include "compiler/import/npz/common/NetworkText.h"

#include <optional>

namespace dendrolith::npz {

struct Dendattn {
  int64_t width = 0;            ///< d, of the residual stream
  int64_t vocabulary = 0;       ///< V
  int64_t layers = 0;           ///< L
  int64_t heads = 0;            ///< H
  int64_t keys = 0, values = 0; ///< d_k, d_v of a head
  int64_t taps = 2;             ///< of each convolution
  /// E_s branches that always run, then E_r of which the best `top` run.
  int64_t shared = 0, routed = 0, top = 0;
  /// M blocks of rows [m stride, m stride + block) of keys and queries.
  int64_t blocks = 0, block = 0, stride = 0;
  /// The constants by the names that models/dendattn/reference.py exports:
  /// gains of norms are in the weights behind them, and each tap of a
  /// convolution is a projection of its own.
  Constants constants;
  std::optional<Samples> examples;

  int64_t branches() const { return shared + routed; }
};

/// Creates a network with input @tok of token ids, populations @R0, @R1, ...
/// (one wide neuron, the residual stream), @H0, @H1, ... (a wide neuron per
/// head, with a state "S<branch>_<block>" for each block) and @out (linear),
/// and output @logits, which answers at each token. The network is not verified
/// here.
mlir::OwningOpRef<mlir::ModuleOp> createDendattn(mlir::MLIRContext &context,
                                                 const std::string &name,
                                                 const Dendattn &checkpoint);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDATTN_DENDATTNNETWORK_H
