// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Utf8.h"

#include <utf8.h>

namespace dendrolith {

size_t utf8Prefix(std::string_view text) {
  return static_cast<size_t>(utf8::find_invalid(text.begin(), text.end()) -
                             text.begin());
}

} // namespace dendrolith
