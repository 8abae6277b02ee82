// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synapse memory whose entries have a delay each, as words have them on a chip
// with delay bits. The table of weights then has a second column: how many
// steps an entry comes later than its in-axon says. A table without delays has
// the same bytes as encodeI16() gives it.

#ifndef DENDROLITH_RUNTIME_IMAGE_ENTRYDELAYS_H
#define DENDROLITH_RUNTIME_IMAGE_ENTRYDELAYS_H

#include "runtime/image/Tables.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

/// The weights of a core, read where they lie packed, with their delays.
struct PackedWeights : PackedNumbers {
  explicit PackedWeights(const std::string &bytes);
  bool hasDelays() const { return !delays.isAll(0); }
  uint32_t delay(size_t i) const { return hasDelays() ? delays[i] : 0; }
  /// The largest delay of an entry; 0 where none has any.
  uint32_t longest() const { return hasDelays() ? delays.largest(size) : 0; }
  columns::View delays;
};

/// By weight; empty where no entry has a delay.
std::vector<uint16_t> decodeDelays(const std::string &weights);

/// `delays` has one for each weight, or is empty.
std::string encodeWeights(const std::vector<int16_t> &weights,
                          const std::vector<uint16_t> &delays);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_IMAGE_ENTRYDELAYS_H
