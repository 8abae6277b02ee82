// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection's synapses as (target, source, weight), whatever their kind.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_SYNAPSES_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_SYNAPSES_H

#include "dialects/dend/Dend.h"

#include <cstdint>
#include <vector>

namespace dendrolith {

/// Synapses in flat arrays; the order is that of the weight constant, or of the
/// taps of a window (dialects/dend/Window.h).
template <typename Weight> struct SynapseArrays {
  std::vector<uint32_t> target, source;
  std::vector<Weight> weights; ///< the constant's
  /// The index in `weights` of each synapse; empty where each has its own, in
  /// order.
  std::vector<uint32_t> index;
  size_t size() const { return target.size(); }
  size_t indexOf(size_t synapse) const {
    return index.empty() ? synapse : index[synapse];
  }
  Weight weight(size_t synapse) const { return weights[indexOf(synapse)]; }
};

/// Reads a projection of any kind. Weight is double for real weights, and
/// int64_t for integer mantissas. Zero weights are kept (they are stored
/// synapses). Fails with a diagnostic for an unbound constant and for NaN or
/// infinite weights.
template <typename Weight>
mlir::FailureOr<SynapseArrays<Weight>> readSynapses(dend::ProjectOp project);

/// Puts a sparse projection in place of one with shared weights, so that each
/// synapse has its own.
mlir::LogicalResult spreadWeights(dend::ProjectOp project);

/// Puts a convolution of each channel by itself in place of a real-valued
/// pooling; its constant is what the quantiser makes mantissas of.
void poolingToConvolution(dend::ProjectOp project);

extern template mlir::FailureOr<SynapseArrays<double>>
    readSynapses(dend::ProjectOp);
extern template mlir::FailureOr<SynapseArrays<int64_t>>
    readSynapses(dend::ProjectOp);

/// The number of source elements, or of target elements, of a projection.
int64_t sourceElements(dend::ProjectOp project);
int64_t targetElements(dend::ProjectOp project);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_SYNAPSES_H
