// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Shorten.h"

#include <fmt/format.h>

namespace dendrolith {

/// Not in the middle of a character.
static size_t characterBegin(const std::string &text, size_t at) {
  while (at > 0 && at < text.size() &&
         (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
    --at;
  return at;
}

std::string shortened(const std::string &message) {
  const size_t most = 4096, end = 512;
  if (message.size() <= most)
    return message;
  const size_t left = characterBegin(message, most - end),
               right = characterBegin(message, message.size() - end);
  return fmt::format("{} ... ({} bytes are left out here) ... {}",
                     message.substr(0, left), right - left,
                     message.substr(right));
}

} // namespace dendrolith
