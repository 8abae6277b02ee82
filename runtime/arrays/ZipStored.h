// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of members that an archive has as they are, without a copy.

#ifndef DENDROLITH_RUNTIME_ARRAYS_ZIPSTORED_H
#define DENDROLITH_RUNTIME_ARRAYS_ZIPSTORED_H

#include "runtime/arrays/Zip.h"

#include <optional>

namespace dendrolith::zip {

/// What unpack() gives, as it lies in `bytes`, which outlive it; none where the
/// member is deflated.
std::optional<std::string_view> storedContent(const Bytes &bytes,
                                              const Member &member,
                                              const std::string &where);

} // namespace dendrolith::zip

#endif // DENDROLITH_RUNTIME_ARRAYS_ZIPSTORED_H
