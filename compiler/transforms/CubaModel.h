// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of a current-based neuron and the model that holds them.

#ifndef NEURITE_COMPILER_TRANSFORMS_CUBAMODEL_H
#define NEURITE_COMPILER_TRANSFORMS_CUBAMODEL_H

#include "compiler/transforms/QuantisedLayer.h"

#include "targets/Target.h"

#include <cmath>

namespace neurite {

/// Integer parameters of dend.cuba, one per neuron.
struct CubaIntegers {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
};

/// Decays, thresholds and biases of a layer at its scale, each a number that
/// the target's formats can hold.
CubaIntegers toIntegers(const QuantisedLayer &layer,
                        const NumberFormats &formats);

struct NamedIntegers {
  const char *name;
  const std::vector<int64_t> *values;
};

/// One dend.cuba with the given parameters (shared where all neurons agree) in
/// front of the population; `startU` and `startV` are initial values or null.
dend::NeuronOp makeCubaModel(QuantisedLayer &layer,
                             llvm::ArrayRef<NamedIntegers> params,
                             mlir::FlatSymbolRefAttr startU,
                             mlir::FlatSymbolRefAttr startV,
                             const NumberFormats &formats);

/// Round half to even, as every quantised number is.
inline int64_t roundEven(double value) {
  return static_cast<int64_t>(std::nearbyint(value));
}

/// True if all neurons have the same value.
bool uniform(const std::vector<int64_t> &values);

/// A symbol that is not taken yet: `wanted`, or with "_1", "_2", ... behind.
std::string freeName(dend::NetworkOp network, const std::string &wanted);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_CUBAMODEL_H
