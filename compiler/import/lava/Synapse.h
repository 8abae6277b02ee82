// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A synapse process as numbers: Dense, Sparse, their delayed forms, and Conv.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_SYNAPSE_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_SYNAPSE_H

#include "compiler/lava/Kwargs.h"
#include "dialects/dend/Window.h"

#include <optional>

namespace dendrolith::lava {

struct Synapse {
  std::vector<uint64_t> inShape, outShape; ///< of s_in and a_out, Lava's order
  /// Whole numbers that Lava's preparation has made, (targets x sources), dense
  /// or sparse. Those of a convolution are in the order of `window`.
  Array weights;
  std::optional<dend::Window> window; ///< a convolution
  std::vector<int64_t> delays; ///< of each weight, or one, on top of the step
  int exponent = 0;            ///< the sum is shifted left by it
  bool binary = true;          ///< reads messages as s != 0
};

bool isSynapseClass(const std::string &lavaClass);
std::string synapseClassNames();

/// Reads and checks every keyword. Throws Error.
Synapse readSynapse(const Process &process, const std::string &place);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_SYNAPSE_H
