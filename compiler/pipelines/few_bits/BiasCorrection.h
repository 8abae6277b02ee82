// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Biases that keep the mean sums of neurons at those of the float network after
// its weights were rounded.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_BIASCORRECTION_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_BIASCORRECTION_H

#include "compiler/pipelines/few_bits/LinearPort.h"
#include "compiler/transforms/quantise/ChooseLayer.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace dendrolith {

class BiasCorrection {
public:
  /// Keeps the biases that the network has now: a layer may be corrected more
  /// than once, always from these.
  explicit BiasCorrection(dend::NetworkOp network);

  /// Adds what the mean sums lost to a bias of the port: to one that is there,
  /// or of a fixed-function neuron to a new one. A program has no instruction
  /// for a bias that its model has not; where its port is linear, a parameter
  /// behind the port takes it (LinearPort.h).
  void correct(dend::PopulationOp population,
               const std::vector<ChosenFeed> &feeds);

private:
  dend::ProjectOp holderOf(dend::PopulationOp population,
                           dend::ProjectOp first) const;

  llvm::DenseMap<mlir::Operation *, std::vector<double>> bias;
  /// Parameters that stand for biases, as they were before.
  llvm::DenseMap<mlir::Operation *, LinearPort::Params> params;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_BIASCORRECTION_H
