// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of a network.

#ifndef NEURITE_COMPILER_TRANSFORMS_NETWORK_NAMES_H
#define NEURITE_COMPILER_TRANSFORMS_NETWORK_NAMES_H

#include "dialects/dend/Dend.h"

#include <string>

namespace neurite {

/// A symbol that is not taken yet: `wanted`, or with "_1", "_2", ... behind.
std::string freeName(dend::NetworkOp network, const std::string &wanted);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_NETWORK_NAMES_H
