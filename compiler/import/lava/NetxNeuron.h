// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `neuron` group of a layer as a process of Lava.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_NETXNEURON_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_NETXNEURON_H

#include "compiler/import/lava/NetxLayer.h"
#include "compiler/lava/lava.pb.h"

namespace dendrolith::lava {

struct NetxNeuron {
  Process process;
  unsigned messageBits = 0; ///< what the next layer's num_message_bits is
  std::string biasKey;    ///< keyword for the layer's bias; empty = it has none
  bool isComplex = false; ///< ports a_real_in and a_imag_in
  bool mayReset = false;  ///< NetX can reset it at regular times
};

/// What kind of layer a neuron stands in.
enum class NetxRole { Input, Dense, Conv };

/// Reads the neuron of a layer. `shape` is in Lava's order; `notes` collects
/// warnings. A dense layer without a `neuron` group integrates.
NetxNeuron readNeuron(const NetxLayer &layer, NetxRole role, const Shape &shape,
                      Warnings &notes);

/// Reads the layer's bias, if it has one, into the neuron's keywords: one per
/// neuron, or for convolutions one per channel.
void readBias(const NetxLayer &layer, NetxNeuron &neuron, const Shape &shape,
              Warnings &notes);

/// Gives the neurons of an input layer the biases of an image (.npy), integers
/// in the file's axes, as NetX's caller may.
void setBias(const NetxLayer &layer, NetxNeuron &neuron, const Shape &shape,
             const std::string &image);

/// Lets what the host sends stand in the biases for the rest of a sample.
void takeBiases(const NetxLayer &layer, NetxNeuron &neuron);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_NETXNEURON_H
