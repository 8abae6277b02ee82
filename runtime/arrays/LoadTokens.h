// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the input of a network whose steps are tokens: ids, or vectors with a 1
// at the id.

#ifndef DENDROLITH_RUNTIME_ARRAYS_LOADTOKENS_H
#define DENDROLITH_RUNTIME_ARRAYS_LOADTOKENS_H

#include "runtime/host/Signals.h"

#include <cstdint>
#include <string>

namespace dendrolith {

struct LoadedTokens {
  Samples samples;
  bool single = false; ///< the file had no axis of samples
};

/// Reads a .npy file with integers (steps) or (samples, steps), ids below
/// `vocabulary`, which stay ids in memory, or with numbers (steps, vocabulary)
/// or (samples, steps, vocabulary). An array of two axes that can be both is of
/// vectors if it is none of integers, or if each row is one 1 and otherwise 0.
/// `where` begins the messages. Throws Error as loadSamples() does, and for a
/// number that is no id of a token.
LoadedTokens loadTokens(const std::string &path, uint64_t vocabulary,
                        const std::string &where);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_LOADTOKENS_H
