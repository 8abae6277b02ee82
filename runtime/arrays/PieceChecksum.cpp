// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/PieceChecksum.h"

#include "runtime/arrays/Zip.h"

#include <iterator>
#include <stdexcept>

namespace dendrolith {
namespace {

/// The checksum of `size` zeros, computed from that of half as many.
uint32_t ofZeros(uint64_t size) {
  if (size == 0)
    return 0;
  const uint32_t half = ofZeros(size / 2);
  const uint32_t even = zip::joinChecksums(half, half, size / 2);
  return size % 2 ? zip::addToChecksum(even, std::string_view("\0", 1)) : even;
}

} // namespace

void PieceChecksum::add(uint64_t at, std::string_view bytes) {
  if (bytes.empty())
    return;
  Piece piece{bytes.size(), zip::addToChecksum(0, bytes)};
  std::lock_guard<std::mutex> lock(mutex);
  auto next = pieces.lower_bound(at);
  if (next != pieces.end() && next->first < at + piece.size)
    throw std::logic_error("bytes of a checksum came twice");
  if (next != pieces.end() && next->first == at + piece.size) {
    piece = {
        piece.size + next->second.size,
        zip::joinChecksums(piece.crc, next->second.crc, next->second.size)};
    next = pieces.erase(next);
  }
  if (next != pieces.begin()) {
    auto &[begin, before] = *std::prev(next);
    if (begin + before.size > at)
      throw std::logic_error("bytes of a checksum came twice");
    if (begin + before.size == at) {
      before = {before.size + piece.size,
                zip::joinChecksums(before.crc, piece.crc, piece.size)};
      return;
    }
  }
  pieces.emplace_hint(next, at, piece);
}

uint32_t PieceChecksum::of(uint64_t size) const {
  std::lock_guard<std::mutex> lock(mutex);
  uint32_t crc = 0;
  uint64_t end = 0;
  for (const auto &[begin, piece] : pieces) {
    crc = zip::joinChecksums(crc, ofZeros(begin - end), begin - end);
    crc = zip::joinChecksums(crc, piece.crc, piece.size);
    end = begin + piece.size;
  }
  return zip::joinChecksums(crc, ofZeros(size - end), size - end);
}

} // namespace dendrolith
