// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checksum of an archive's member (CRC-32, PKWARE APPNOTE.TXT 4.4.7) whose
// bytes come in pieces and in any order. Each piece is looked at while the
// processor still has it in its cache, so that nobody has to read the file for
// that.
//
// The plain twin is zip::addToChecksum() over all bytes in order;
// PieceChecksumTest holds both equal. tests/bench/traces.py shows the gain.

#ifndef DENDROLITH_RUNTIME_ARRAYS_PIECECHECKSUM_H
#define DENDROLITH_RUNTIME_ARRAYS_PIECECHECKSUM_H

#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>

namespace dendrolith {

class PieceChecksum {
public:
  /// These bytes lie from byte `at` on; also from several threads at a time.
  /// Throws std::logic_error where some of them were added before.
  void add(uint64_t at, std::string_view bytes);

  /// The checksum of the first `size` bytes, among which are all that were
  /// added; all others are 0.
  uint32_t of(uint64_t size) const;

private:
  struct Piece {
    uint64_t size = 0;
    uint32_t crc = 0;
  };

  mutable std::mutex mutex;
  std::map<uint64_t, Piece> pieces; // by first byte; none begins where one ends
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_PIECECHECKSUM_H
