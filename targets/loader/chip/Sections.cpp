// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Sections.h"

#include <algorithm>

namespace dendrolith {

uint32_t payloadBits(int64_t low, int64_t high) {
  uint32_t bits = 1;
  auto holds = [&] {
    if (bits == 64)
      return true;
    if (low >= 0)
      return static_cast<uint64_t>(high) >> bits == 0;
    int64_t half = int64_t(1) << (bits - 1);
    return low >= -half && high <= half - 1;
  };
  while (!holds())
    ++bits;
  return bits;
}

bool hostSends(const HostAbility &host, int64_t low, int64_t high) {
  if (low >= 0 && high <= 1)
    return true;
  return (low >= 0 || host.sign) && payloadBits(low, high) <= host.payloadBits;
}

uint64_t flitsOf(const Mesh &mesh, uint32_t payloadBits) {
  uint64_t width = std::max<uint64_t>(mesh.flitBits, 1);
  return std::max<uint64_t>(1, (payloadBits + width - 1) / width);
}

} // namespace dendrolith
