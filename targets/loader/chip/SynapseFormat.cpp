// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/SynapseFormat.h"

namespace dendrolith {

uint64_t bitsFor(uint64_t largest) {
  return largest ? 64 - static_cast<uint64_t>(__builtin_clzll(largest)) : 0;
}

static std::optional<uint64_t> smallestCode(const std::vector<uint64_t> &codes,
                                            uint64_t needed) {
  for (uint64_t code : codes)
    if (code >= needed && code > 0)
      return code;
  return std::nullopt;
}

uint64_t SynapseFormat::listWords(ListFormat format, uint64_t entries,
                                  uint64_t weightBits, uint64_t indexBits,
                                  uint64_t delayBits, uint64_t tagBits) const {
  uint64_t perSynapse = weightBits + delayBits + tagBits;
  if (format == ListFormat::Sparse)
    perSynapse += indexBits;
  auto blockWords = [&](uint64_t synapses) {
    return (synapses * perSynapse + headerBits + wordBits - 1) / wordBits;
  };
  if (entries > 0 && entries < blockSynapses) { // mostly; one division is slow
    uint64_t bits = entries * perSynapse + headerBits + wordBits - 1;
    return bits < wordBits ? 0 : bits < 2 * wordBits ? 1 : bits / wordBits;
  }
  uint64_t words = entries / blockSynapses * blockWords(blockSynapses);
  if (uint64_t rest = entries % blockSynapses)
    words += blockWords(rest);
  return words;
}

std::optional<uint64_t> SynapseFormat::weightBits(uint64_t needed) const {
  return smallestCode(weightBitCodes, needed);
}

std::optional<uint64_t> SynapseFormat::indexBits(uint64_t largestIndex) const {
  return smallestCode(indexBitCodes, bitsFor(largestIndex));
}

std::optional<uint64_t> SynapseFormat::delayBits(uint64_t largestDelay) const {
  uint64_t bits = bitsFor(largestDelay);
  if (bits > maxDelayBits)
    return std::nullopt;
  return bits;
}

} // namespace dendrolith
