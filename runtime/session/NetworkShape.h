// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a picture of a network shows, as `network` of result.json has it.

#ifndef DENDROLITH_RUNTIME_SESSION_NETWORKSHAPE_H
#define DENDROLITH_RUNTIME_SESSION_NETWORKSHAPE_H

#include "dialects/dend/Dend.h"
#include "runtime/image/Program.h"

#include <nlohmann/json.hpp>

namespace dendrolith::session {

/// Inputs, populations and the synapses between them. A population has the
/// states of its neurons as a tree: each goes into the one that it feeds, and
/// the root is the state that fires.
nlohmann::ordered_json networkShape(dend::NetworkOp network);

/// How many classes a read-out tells apart: its elements, null where neurons
/// have vectors.
nlohmann::ordered_json classesOf(dend::OutputOp output,
                                 dend::NetworkOp network);

/// The inputs, populations and outputs that another program may name.
nlohmann::ordered_json portsOf(const image::Program &program);
nlohmann::ordered_json portsOf(dend::NetworkOp network);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_NETWORKSHAPE_H
