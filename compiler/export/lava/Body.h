// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed-point step body as a message that Python steps.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_BODY_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_BODY_H

#include "compiler/lava/lava.pb.h"
#include "dialects/dend/Dend.h"

namespace dendrolith::lava {

/// The model without structure operations but `ssf`. Outputs are brought into
/// the range of their spikes by operations of their own. Throws Error naming an
/// operation that has no integer meaning, and states that a clock resets.
Neuron writeBody(dend::NeuronOp model);

/// What stands in the way of a body on stock processes: the first operation
/// that is no constant, as "'dend.mul' at file:line:column".
std::string firstOperation(dend::NeuronOp model);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_BODY_H
