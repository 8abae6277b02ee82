// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a whole chip file.

#ifndef DENDROLITH_TARGETS_LOADER_READ_CHIPREADER_H
#define DENDROLITH_TARGETS_LOADER_READ_CHIPREADER_H

#include "targets/loader/chip/Chip.h"
#include "targets/loader/chip/Sections.h"
#include "targets/loader/chip/Timing.h"
#include "targets/loader/yaml/RecordReader.h"
#include "targets/loader/yaml/Yaml.h"

#include <string>

namespace dendrolith::yaml {

/// The chip of a tree without a `base`; `text` is what the tree was parsed
/// from. Throws Error with the place of what is wrong.
Chip readChip(const Node &root, const std::string &text,
              const std::string &filename);

// Reads the section `board` of a chip file: how many chips are put together,
// and what their links and their common barrier take.

struct Board {
  uint64_t chipsX = 1, chipsY = 1;
  PortTiming link;
  BarrierTiming barrier;
};

Board readBoard(const Node &node, RecordReader reader);

/// Makes of the mesh of one chip that of the board. Throws Error with the place
/// of `node` where that is too large.
void putTogether(const Node &node, const Board &board, Mesh &mesh);

/// Gives a timing set the times of several chips; one chip is left as it is.
void addTimes(const Board &board, TimingSet &set);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_READ_CHIPREADER_H
