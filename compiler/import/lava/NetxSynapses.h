// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a layer as synapse processes of Lava.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_NETXSYNAPSES_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_NETXSYNAPSES_H

#include "compiler/import/lava/NetxLayer.h"
#include "compiler/lava/lava.pb.h"

namespace dendrolith::lava {

/// A synapse process and the neuron's port that its a_out feeds.
struct NetxSynapse {
  Process process;
  std::string port = "a_in";
  bool isRecurrent = false; ///< fed by the layer itself
};

struct NetxSynapses {
  std::vector<NetxSynapse> all;
  uint64_t inputs = 0; ///< dense layers: elements of what they receive
};

/// Reads the synapses of a dense layer with `outputs` neurons. `isComplex` says
/// what the neuron takes, `messageBits` what the layer before sends, `notes`
/// collects warnings.
NetxSynapses readDense(const NetxLayer &layer, uint64_t outputs,
                       bool isRecurrent, bool isComplex, unsigned messageBits,
                       Warnings &notes);

/// Reads the synapses of a convolution from `input` to `output`, which are both
/// (width, height, channel).
NetxSynapses readConv(const NetxLayer &layer, const Shape &input,
                      const Shape &output, unsigned messageBits,
                      Warnings &notes);

/// The input, (width, height, channel), of a convolution that stands first.
/// Throws Error where strides leave open how large it is.
Shape inputOfConv(const NetxLayer &layer, const Shape &output);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_NETXSYNAPSES_H
