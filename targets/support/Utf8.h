// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_TARGETS_SUPPORT_UTF8_H
#define DENDROLITH_TARGETS_SUPPORT_UTF8_H

#include <cstddef>
#include <string_view>

namespace dendrolith {

/// How many bytes stand before the first that is no UTF-8 (RFC 3629: shortest
/// forms only, no surrogates, at most U+10FFFF); the whole size if there is
/// none.
size_t utf8Prefix(std::string_view text);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_UTF8_H
