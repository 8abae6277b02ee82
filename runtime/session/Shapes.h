// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kind of synapses the layers of a result have, which its program does not
// say.

#ifndef DENDROLITH_RUNTIME_SESSION_SHAPES_H
#define DENDROLITH_RUNTIME_SESSION_SHAPES_H

#include "dialects/dend/Dend.h"

#include <nlohmann/json_fwd.hpp>

namespace dendrolith::session {

/// Fills `kind`, `biases` and `window` of each source of the `layers`, which
/// are those of the network.
void addShapes(nlohmann::ordered_json &layers, dend::NetworkOp network);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_SHAPES_H
