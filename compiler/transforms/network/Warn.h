// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes leave warnings on the network, from where they reach the program image
// and the result of each run.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_WARN_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_WARN_H

#include "dialects/dend/Dend.h"
#include "targets/support/Warning.h"

namespace dendrolith {

/// Appends to the warnings of a network.
void warn(dend::NetworkOp network, const Warning &warning);

/// Returns all of them, in the order in which they were left.
Warnings warningsOf(dend::NetworkOp network);

/// Names a population as warnings do: "layer 'fc1'".
std::string placeOfLayer(llvm::StringRef population);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_WARN_H
