// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a layer of a NetX file.

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_SYNAPSELAYER_H
#define DENDROLITH_COMPILER_EXPORT_NETX_SYNAPSELAYER_H

#include "compiler/export/netx/LayerGroup.h"

namespace dendrolith::lava {

/// What arrives at a layer: 0 and 1, messages of graded neurons, or what the
/// host sends where no input neuron stands between, which NetX reads as 0
/// and 1.
enum class Arrives { Spikes, Graded, HostValues };

/// Each adds the weights of a layer's synapses, and what stands beside them, to
/// the layer's group. Recurrent synapses read the layer's own messages.
void addDense(LayerGroup &layer, const Process &synapse, Arrives arrives);
void addRecurrent(LayerGroup &layer, const Process &synapse,
                  const Process &recurrent, Arrives arrives, bool isGraded);
void addComplex(LayerGroup &layer, const Process &real, const Process &imag,
                Arrives arrives);
void addConv(LayerGroup &layer, const Process &synapse, Arrives arrives);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_SYNAPSELAYER_H
