// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/Template.h"

namespace neurite::npz {

std::string filled(const std::string &text, const Words &words) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z')
      ++end;
    out += words.at(text.substr(i + 1, end - i - 1));
    i = end - 1;
  }
  return out;
}

} // namespace neurite::npz
