// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zip archives as far as .npz needs them: stored and deflated members, 64-bit
// sizes. Source: PKWARE APPNOTE.TXT 6.3.

#ifndef DENDROLITH_RUNTIME_ARRAYS_ZIP_H
#define DENDROLITH_RUNTIME_ARRAYS_ZIP_H

#include "runtime/host/Content.h"
#include "runtime/host/Files.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith::zip {

/// The bytes of an archive: in memory, or of a file, of which no more is read
/// than is asked for.
class Bytes {
public:
  Bytes(std::string_view all) : all(all), length(all.size()) {}
  Bytes(const std::string &all) : Bytes(std::string_view(all)) {}
  /// `file` outlives this.
  explicit Bytes(const InputFile &file) : file(&file), length(file.size()) {}

  uint64_t size() const { return length; }
  /// `count` bytes from `offset` on, which lie within; they live as long as
  /// this. Throws Error as reading the file does.
  std::string_view at(uint64_t offset, uint64_t count) const;

private:
  std::string_view all;
  const InputFile *file = nullptr;
  uint64_t length;
  mutable std::deque<std::string> pieces; // of the file
};

/// One member as the central directory describes it.
struct Member {
  std::string name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t packedSize = 0, size = 0;
  uint64_t localHeader = 0; // offset in the file
};

/// Most bytes of all members together, unpacked: 4 GiB.
constexpr uint64_t kMaxUnpacked = uint64_t(1) << 32;

/// The central directory. Throws Error beginning with `where` when the file is
/// no archive, is truncated, or would unpack to more than kMaxUnpacked bytes.
std::vector<Member> readDirectory(const Bytes &bytes, const std::string &where);

/// A member's content, its size and checksum verified.
std::string unpack(const Bytes &bytes, const Member &member,
                   const std::string &where);

/// What unpack() gives, as it lies in `bytes`, which outlive it; none where the
/// member is deflated.
std::optional<std::string_view> storedContent(const Bytes &bytes,
                                              const Member &member,
                                              const std::string &where);

/// The first `count` bytes of a member's content, or all of it, at little cost
/// and unverified: what they say decides whether the member is unpacked.
std::string unpackHead(const Bytes &bytes, const Member &member,
                       const std::string &where, uint64_t count);

/// What an archive says of a member that is stored as it is.
struct Stored {
  std::string name;
  uint64_t size = 0; // of the content
  uint32_t crc = 0;
  uint64_t offset = 0; // of its head in the file
};

/// Throws Error where the members do not fit an archive, which is at 4 GiB, or
/// a name is too long.
void checkFits(const std::vector<Stored> &members);
/// The bytes in front of a member's content, and those behind all members,
/// which begin at `offset`.
std::string headOf(const Stored &member);
std::string directoryOf(const std::vector<Stored> &members, uint64_t offset);
/// A checksum, begun with 0, after some more bytes.
uint32_t addToChecksum(uint32_t crc, std::string_view bytes);
/// The checksum of bytes that `first` is of, and of `size` bytes behind them
/// that `second` is of.
uint32_t joinChecksums(uint32_t first, uint32_t second, uint64_t size);

/// A member to write. Its content is asked for twice: for the checksum, which
/// stands in front of it, and to be written.
struct Packed {
  std::string name;
  uint64_t size = 0; // of the content
  Content content;
};

/// An archive of stored members in the given order, dated 1980-01-01 so that
/// equal content gives equal bytes. Throws Error at 4 GiB, before anything is
/// handed over.
void pack(const std::vector<Packed> &members, const ByteSink &sink);

} // namespace dendrolith::zip

#endif // DENDROLITH_RUNTIME_ARRAYS_ZIP_H
