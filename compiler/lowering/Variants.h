// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A population whose neurons differ in which regions of the step body they run
// (branches that only some of them have) as runs of neurons that are alike,
// each with a body of its own in which absent regions are gone.

#ifndef DENDROLITH_COMPILER_LOWERING_VARIANTS_H
#define DENDROLITH_COMPILER_LOWERING_VARIANTS_H

#include "compiler/lowering/Engines.h"

namespace dendrolith {

/// More runs than this are no longer worth a group each: the parameter that
/// makes them stays data, and its regions are skipped neuron by neuron.
constexpr size_t kMostRuns = 64;

/// How neurons differ: values of the per-neuron i1 parameters that conditions
/// of `dend.when` read.
struct Variants {
  llvm::SmallVector<unsigned> params;          // of the model, ascending
  std::vector<llvm::SmallVector<bool>> values; // by variant, of each of them
  std::vector<ProgramRun> runs;                // all neurons, in order
};

/// At least one variant and one run. Fails with a diagnostic when a parameter
/// has no readable value.
mlir::FailureOr<Variants> findVariants(dend::PopulationOp population,
                                       dend::NeuronOp model);

/// A copy of the model, beside it in the network and of the same name, for
/// neurons whose `params` have these values: with the regions they run inlined,
/// without the others, and without what only those used: computations,
/// parameters, and states that never leave 0, except those named in `shown`.
/// Ports and outputs stay. The caller erases it.
dend::NeuronOp specialise(dend::NeuronOp model, llvm::ArrayRef<unsigned> params,
                          llvm::ArrayRef<bool> values,
                          llvm::ArrayRef<mlir::StringAttr> shown = {});

/// The model of each variant; the model itself where all neurons are alike. A
/// state that no neuron of the population ever moves stays with the first
/// variant, so that it can still be shown. The caller erases the copies.
llvm::SmallVector<dend::NeuronOp> specialiseAll(dend::NeuronOp model,
                                                const Variants &variants);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_VARIANTS_H
