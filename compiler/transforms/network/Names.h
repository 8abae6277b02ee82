// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New names for what a pass adds to a network.

#ifndef NEURITE_COMPILER_TRANSFORMS_NETWORK_NAMES_H
#define NEURITE_COMPILER_TRANSFORMS_NETWORK_NAMES_H

#include "dialects/dend/Dend.h"

#include <string>

namespace neurite {

/// A symbol that is not taken yet: `wanted`, or that with "_1", "_2", ...
/// behind it.
std::string freeName(dend::NetworkOp network, const std::string &wanted);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_NETWORK_NAMES_H
