// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks say to each other, in strings.

#ifndef NEURITE_SIMULATOR_RANKS_BYTES_H
#define NEURITE_SIMULATOR_RANKS_BYTES_H

#include "runtime/host/Wire.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace neurite::sim {

/// Appends what `write` writes.
template <typename Write> void writeTo(std::string &bytes, Write write) {
  const ByteSink sink = [&](std::string_view piece) { bytes += piece; };
  Writer writer(sink);
  write(writer);
}

/// Hands the bytes to `read`, which must take all of them.
template <typename Read> void readFrom(std::string_view bytes, Read read) {
  std::string_view left = bytes;
  const ByteSource source = [&](char *into, size_t room) {
    const size_t count = std::min(room, left.size());
    std::memcpy(into, left.data(), count);
    left.remove_prefix(count);
    return count;
  };
  Reader reader(source, bytes.size());
  read(reader);
  if (!reader.atEnd())
    Reader::fail();
}

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RANKS_BYTES_H
