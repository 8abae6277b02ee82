// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neurons of a layer of a NetX file.

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_NEURONLAYER_H
#define DENDROLITH_COMPILER_EXPORT_NETX_NEURONLAYER_H

#include "compiler/export/netx/LayerGroup.h"

namespace dendrolith::lava {

/// What the layer's neuron is to NetX.
struct NeuronLayer {
  hdf5::Node neuron;         ///< the group "neuron"
  std::vector<int64_t> bias; ///< by neuron, Lava's order; empty: none
  bool isGraded = false;     ///< sends more than spikes
  bool isComplex = false;
  /// Whether the states must be 0 in the step in which the first input reaches
  /// the layer, or in the first step of all: that is where its biases begin.
  enum class Begins { Either, WithInput, AtOnce } begins = Begins::Either;
};

/// Makes the layer's neuron. With `isInput` the host feeds it at a_in, where
/// SDNN means Delta. Its input comes `latency` steps late.
NeuronLayer neuronLayer(const Process &process, bool isInput, bool isConv,
                        uint64_t latency);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_NEURONLAYER_H
