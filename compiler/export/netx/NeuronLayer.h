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
};

/// Makes the layer's neuron. With `isInput` the host feeds it at a_in, where
/// SDNN means Delta.
NeuronLayer neuronLayer(const Process &process, bool isInput, bool isConv);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_NEURONLAYER_H
