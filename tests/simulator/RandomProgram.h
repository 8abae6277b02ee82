// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small random programs with inputs, for agreement tests. The seed alone
// decides.

#ifndef DENDROLITH_TESTS_SIMULATOR_RANDOMPROGRAM_H
#define DENDROLITH_TESTS_SIMULATOR_RANDOMPROGRAM_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <map>
#include <string>

namespace dendrolith::test {

struct RandomProgram {
  image::Program program;
  Target target;
  std::map<std::string, Samples> inputs;
};

/// One to four populations on up to four cores, joined at random (recurrence
/// included), with delays (of entries, too), periods of 1 to 4, biases,
/// refractory periods, initial states and all variants of the neuron. With
/// multicast the mesh has it, and may be a single row or column.
RandomProgram randomProgram(uint32_t seed, bool multicast = false);

/// The same on a board: the tiles are those of several chips.
RandomProgram randomBoard(uint32_t seed, bool multicast = false);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_RANDOMPROGRAM_H
