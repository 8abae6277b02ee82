// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a file that is never in memory as a whole.

#ifndef DENDROLITH_RUNTIME_HOST_CONTENT_H
#define DENDROLITH_RUNTIME_HOST_CONTENT_H

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace dendrolith {

/// Takes the next bytes.
using ByteSink = std::function<void(std::string_view)>;

/// Hands its bytes to a sink, piece by piece, and the same ones each time.
using Content = std::function<void(const ByteSink &)>;

/// Gives the next bytes: as many as there is room for, or fewer, and 0 at the
/// end.
using ByteSource = std::function<size_t(char *into, size_t room)>;

/// The content as one string, for what is small.
inline std::string bytesOf(const Content &content) {
  std::string bytes;
  content([&](std::string_view piece) { bytes += piece; });
  return bytes;
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_CONTENT_H
