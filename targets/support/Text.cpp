// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Text.h"

#include "targets/support/Utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith {

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
  for (size_t at = 0; at < shown.size(); ++at) {
    at += utf8Prefix(std::string_view(shown).substr(at));
    if (at < shown.size())
      shown[at] = '?';
  }
  return size < text.size() ? shown + "..." : shown;
}

std::string quotedName(const std::string &name) {
  const size_t most = 80;
  std::string text = "'";
  for (unsigned char c : name.substr(0, most))
    if (c < 0x20 || c == 0x7f)
      text += fmt::format("\\x{:02x}", c);
    else
      text += static_cast<char>(c);
  return text + (name.size() > most ? "...'" : "'");
}

bool startsWith(const std::string &text, const std::string &beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

std::string shapeText(const std::vector<uint64_t> &shape) {
  const size_t most = 32; // axes, as numpy and HDF5 allow
  if (shape.size() > most)
    return fmt::format("of {} axes", shape.size());
  return fmt::format("({}{})", fmt::join(shape, ", "),
                     shape.size() == 1 ? "," : "");
}

} // namespace dendrolith
