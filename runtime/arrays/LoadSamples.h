// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a model's input from a file without a copy of it in another type.

#ifndef DENDROLITH_RUNTIME_ARRAYS_LOADSAMPLES_H
#define DENDROLITH_RUNTIME_ARRAYS_LOADSAMPLES_H

#include "runtime/host/Signals.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

/// toSamples() of a .npy file, in the type of the file where SampleValues has
/// it (integers of 64 bits as such of 32 bits where all fit, and more than four
/// million reals that are whole numbers of 8 bits as bytes): the file is read
/// once and lies in memory once. `where` begins the messages about what is in
/// it. Throws Error as loadNpy() and toSamples() do.
Samples loadSamples(const std::string &path, const std::vector<uint64_t> &shape,
                    const std::string &where);

// Reads the input of a network whose steps are tokens: ids, or vectors with a 1
// at the id.

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

#endif // DENDROLITH_RUNTIME_ARRAYS_LOADSAMPLES_H
