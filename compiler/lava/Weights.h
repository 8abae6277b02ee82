// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Lava makes of the weights of Dense and Sparse before it runs.

#ifndef DENDROLITH_COMPILER_LAVA_WEIGHTS_H
#define DENDROLITH_COMPILER_LAVA_WEIGHTS_H

#include "compiler/lava/Array.h"

#include <optional>

namespace dendrolith::lava {

/// The modes stand in the order of Lava's enumeration. NULL_MODE behaves as
/// EXCITATORY.
enum class SignMode { NULL_MODE, MIXED, EXCITATORY, INHIBITORY };
extern const std::vector<std::string> kSignModes; ///< Lava's names, in order

/// The mode of weights that name none: EXCITATORY if none is negative,
/// INHIBITORY if none is positive, else MIXED. What a sparse matrix leaves out
/// is 0.
SignMode signModeOf(const Array &weights);

/// Cuts to whole numbers towards zero, clips into the mode's range and drops
/// low bits. Throws Error beginning with `what` for a weight beyond 32 bits.
void prepareWeights(Array &weights, std::optional<SignMode> mode, int bits,
                    const std::string &what);

/// Cuts to whole numbers of 32 bits towards zero and does nothing else, as Lava
/// does with convolutions.
void castWeights(Array &weights, const std::string &what);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_WEIGHTS_H
