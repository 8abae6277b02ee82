// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Utf8.h"

#include <cstdint>

namespace neurite {

size_t utf8Prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    unsigned char lead = text[at];
    if (lead < 0x80) {
      ++at;
      continue;
    }
    unsigned more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || more >= text.size() - at)
      return at;
    uint32_t point = lead & (0x3f >> more);
    for (unsigned i = 1; i <= more; ++i) {
      unsigned char next = text[at + i];
      if ((next & 0xc0) != 0x80)
        return at;
      point = point << 6 | (next & 0x3f);
    }
    if ((more == 2 && point < 0x800) || (more == 3 && point < 0x10000) ||
        (point >= 0xd800 && point < 0xe000) || point > 0x10ffff)
      return at;
    at += 1 + more;
  }
  return at;
}

} // namespace neurite
