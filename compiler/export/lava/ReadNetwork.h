// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an export takes out of an integer network.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_READNETWORK_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_READNETWORK_H

#include "compiler/export/lava/StockNeurons.h"
#include "compiler/export/lava/Wire.h"
#include "dialects/dend/Dend.h"

namespace dendrolith::lava {

/// Puts everything on the root clock, as all processes of Lava tick together: a
/// population that ticks n times in a root tick becomes one whose body has the
/// n ticks one after the other, with n outputs and ports for each one that is
/// not held. Every sum and every state stays the same. Throws Error, naming
/// what has no such form.
void joinClocks(dend::NetworkOp network);

/// Reads every projection, in the order of the ops. Throws Error for weights
/// that cannot be read or leave 64 bits when shifted, and for real-valued
/// messages.
std::vector<Wire> readWires(dend::NetworkOp network);

/// Reads the numbers of a population whose model is one dend.cuba and nothing
/// else, with its states in their places and reset with each sample.
std::optional<CubaNumbers> readCubaNumbers(dend::PopulationOp population);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_READNETWORK_H
