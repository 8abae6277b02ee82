// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mapper and the tables need of an integer network, in flat arrays.

#ifndef NEURITE_COMPILER_LOWERING_NETWORKTOMAP_H
#define NEURITE_COMPILER_LOWERING_NETWORKTOMAP_H

#include "compiler/mapping/Network.h"

#include "dialects/dend/Dend.h"

#include <vector>

namespace neurite {

/// dend.cuba's integer parameters of a population: one value or one per neuron.
struct CubaTable {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
  dend::CubaOp op; // options
};

/// A population with its parameters, in the order of MapNetwork::populations.
struct LoweredPopulation {
  dend::PopulationOp op;
  CubaTable cuba;
  int64_t phase = 0;
};

struct LoweredNetwork {
  MapNetwork map;
  std::vector<LoweredPopulation> populations;
  std::vector<dend::InputOp> inputs;
  std::vector<dend::ProjectOp> projections; // order of map.projections
  std::vector<uint32_t> shift;              // per projection
};

/// Fails with a diagnostic when a population is no dend.cuba model, a phase or
/// delay is missing (not scheduled), or a weight does not fit 16 bits.
mlir::FailureOr<LoweredNetwork> toMapNetwork(dend::NetworkOp network,
                                             uint32_t weightBits);

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_NETWORKTOMAP_H
