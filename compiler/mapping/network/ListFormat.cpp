// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/ListFormat.h"

namespace dendrolith {

ListPlanner::ListPlanner(const SynapseFormat &format, uint32_t weightBits,
                         bool shared)
    : format(format), weightBits(weightBits), shared(shared) {
  for (uint32_t n = 0; n < kShort; ++n)
    denseWords[n] = static_cast<uint32_t>(longWords(n));
  for (unsigned bits = 0; bits < codes.size(); ++bits) {
    std::optional<uint64_t> code =
        format.indexBits((uint64_t(1) << bits) - 1); // of so many bits
    if (!code)
      continue;
    codes[bits].bits = static_cast<uint32_t>(*code);
    if (bits > 0 && codes[bits].bits == codes[bits - 1].bits) {
      codes[bits] = codes[bits - 1];
      continue;
    }
    for (uint32_t n = 0; n < kShort; ++n)
      codes[bits].words[n] =
          static_cast<uint32_t>(longWords(n, codes[bits].bits));
  }
}

uint64_t ListPlanner::longWords(uint32_t entries) const {
  return format.listWords(ListFormat::Dense, entries, weightBits);
}

uint64_t ListPlanner::longWords(uint32_t entries, uint32_t indexBits) const {
  return format.listWords(ListFormat::Sparse, entries, weightBits, indexBits);
}

} // namespace dendrolith
