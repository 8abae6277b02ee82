// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Error.h"

#include <algorithm>

namespace neurite {

std::string printable(const std::string &text, size_t most) {
  size_t size = std::min(text.size(), most);
  // Not in the middle of a character.
  while (size < text.size() && size > 0 &&
         (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
    --size;
  std::string shown = text.substr(0, size);
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return size < text.size() ? shown + "..." : shown;
}

} // namespace neurite
