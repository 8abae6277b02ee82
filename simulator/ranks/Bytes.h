// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks say to each other, in strings, or piece by piece where it may be
// long.

#ifndef DENDROLITH_SIMULATOR_RANKS_BYTES_H
#define DENDROLITH_SIMULATOR_RANKS_BYTES_H

#include "runtime/host/Ranks.h"
#include "runtime/host/Wire.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace dendrolith::sim {

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

constexpr size_t kPiece = size_t(1) << 20; // bytes

/// Sends the first rank what `write` writes, which is not in memory as a whole.
template <typename Write> void sendInPieces(Ranks &ranks, Write write) {
  std::string piece;
  const ByteSink sink = [&](std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t count = std::min(kPiece - piece.size(), bytes.size());
      piece += bytes.substr(0, count);
      bytes.remove_prefix(count);
      if (piece.size() == kPiece) {
        ranks.send(piece);
        piece.clear();
      }
    }
  };
  Writer writer(sink);
  write(writer);
  ranks.send(piece); // shorter than the others, which ends them
}

/// Receives it on the first rank. `read` must take all of it.
template <typename Read>
void receivePieces(Ranks &ranks, unsigned from, Read read) {
  std::string piece;
  size_t at = 0;
  bool last = false;
  const auto next = [&] {
    piece = ranks.receive(from);
    at = 0;
    last = piece.size() < kPiece;
  };
  const ByteSource source = [&](char *into, size_t room) {
    if (at == piece.size() && !last)
      next();
    const size_t count = std::min(room, piece.size() - at);
    std::memcpy(into, piece.data() + at, count);
    at += count;
    return count;
  };
  Reader reader(source, kMaxResult);
  read(reader);
  if (!last)
    next();
  if (at != piece.size() || !last)
    Reader::fail();
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RANKS_BYTES_H
