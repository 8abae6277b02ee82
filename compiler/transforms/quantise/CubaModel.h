// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of a current-based neuron and the model that holds them.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CUBAMODEL_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CUBAMODEL_H

#include "compiler/transforms/quantise/QuantisedLayer.h"

#include "targets/loader/Target.h"

namespace dendrolith {

/// Integer parameters of dend.cuba, one per neuron.
struct CubaIntegers {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
};

/// Computes decays, thresholds and biases of a layer at its scale, each as a
/// number that the target's formats can hold.
CubaIntegers toIntegers(const QuantisedLayer &layer,
                        const NumberFormats &formats);

struct NamedIntegers {
  const char *name;
  const std::vector<int64_t> *values;
};

/// Writes a model of one dend.cuba with the given parameters, which are shared
/// where all neurons agree, in front of the population. `startU` and `startV`
/// are initial values or null.
dend::NeuronOp makeCubaModel(QuantisedLayer &layer,
                             llvm::ArrayRef<NamedIntegers> params,
                             mlir::FlatSymbolRefAttr startU,
                             mlir::FlatSymbolRefAttr startV,
                             const NumberFormats &formats);

/// True if all neurons have the same value.
bool uniform(const std::vector<int64_t> &values);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CUBAMODEL_H
