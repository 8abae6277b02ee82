// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection's synapses as (target, source, weight), whatever their kind.

#ifndef NEURITE_COMPILER_TRANSFORMS_SYNAPSES_H
#define NEURITE_COMPILER_TRANSFORMS_SYNAPSES_H

#include "dialects/dend/Dend.h"

#include <cstdint>
#include <vector>

namespace neurite {

/// Synapses in flat arrays; the order is that of the weight constant.
template <typename Weight> struct SynapseArrays {
  std::vector<uint32_t> target, source;
  std::vector<Weight> weight;
  size_t size() const { return weight.size(); }
};

/// Reads a dense, sparse or diagonal projection. Real weights with
/// Weight = double, integer mantissas with int64_t. Zero weights are kept (they
/// are stored synapses). Fails with a diagnostic for other kinds, for an
/// unbound constant and for NaN or infinite weights.
template <typename Weight>
mlir::FailureOr<SynapseArrays<Weight>> readSynapses(dend::ProjectOp project);

extern template mlir::FailureOr<SynapseArrays<double>>
    readSynapses(dend::ProjectOp);
extern template mlir::FailureOr<SynapseArrays<int64_t>>
    readSynapses(dend::ProjectOp);

/// Number of source and target elements of a projection.
int64_t sourceElements(dend::ProjectOp project);
int64_t targetElements(dend::ProjectOp project);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_SYNAPSES_H
