// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/Zip.h"

#include "runtime/arrays/LittleEndian.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <zlib.h>

using namespace dendrolith;
using namespace dendrolith::zip;

static constexpr uint32_t kEndSignature = 0x06054b50;
static constexpr uint32_t kEnd64Signature = 0x06064b50;
static constexpr uint32_t kLocatorSignature = 0x07064b50;
static constexpr uint32_t kCentralSignature = 0x02014b50;
static constexpr uint32_t kLocalSignature = 0x04034b50;
static constexpr size_t kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20;
static constexpr size_t kCentralSize = 46, kLocalSize = 30;

namespace {
/// Bounded access to the file.
struct EntryReader {
  const Bytes &bytes;
  const std::string &where;

  [[noreturn]] void fail(const std::string &what) const {
    throw Error(fmt::format("{}: malformed archive: {}", where, what));
  }
  /// `size` bytes from `offset`.
  std::string_view at(uint64_t offset, uint64_t size, const char *what) const {
    if (offset > bytes.size() || size > bytes.size() - offset)
      fail(fmt::format("{} lies beyond the end of the file", what));
    return bytes.at(offset, size);
  }
  template <typename T> T number(std::string_view record, size_t at) const {
    return loadLittle<T>(&record[at]);
  }
};

/// Where the central directory is.
struct Directory {
  uint64_t entries, size, offset;
};
} // namespace

std::string_view Bytes::at(uint64_t offset, uint64_t count) const {
  if (!file)
    return all.substr(offset, count);
  std::string &piece = pieces.emplace_back();
  withMemoryFor(file->name(), [&] { piece.resize(count); });
  file->readAt(offset, piece.data(), count);
  return piece;
}

/// Finds the end record: the last one whose comment ends with the file.
static uint64_t findEnd(const EntryReader &file) {
  if (file.bytes.size() < kEndSize)
    throw Error(file.where + ": not a zip archive, as .npz and .pt2 are, "
                             "or truncated");
  const uint64_t size =
      std::min<uint64_t>(file.bytes.size(), kEndSize + 0xffff);
  const std::string_view tail = file.bytes.at(file.bytes.size() - size, size);
  for (size_t back = 0; back <= tail.size() - kEndSize; ++back) {
    const char *record = &tail[tail.size() - kEndSize - back];
    if (loadLittle<uint32_t>(record) == kEndSignature &&
        loadLittle<uint16_t>(record + 20) == back)
      return file.bytes.size() - kEndSize - back;
  }
  throw Error(file.where + ": not a zip archive, as .npz and .pt2 are, or "
                           "truncated: it has no end record");
}

static Directory findDirectory(const EntryReader &file) {
  const uint64_t endAt = findEnd(file);
  std::string_view end = file.bytes.at(endAt, kEndSize);
  if (file.number<uint16_t>(end, 4) != 0 || file.number<uint16_t>(end, 6) != 0)
    file.fail("archives in several parts are not read");
  Directory directory{file.number<uint16_t>(end, 10),
                      file.number<uint32_t>(end, 12),
                      file.number<uint32_t>(end, 16)};
  uint64_t directoryEnd = endAt;
  // A 64-bit end record, announced just before the end record.
  const std::string_view locator =
      endAt >= kLocatorSize ? file.bytes.at(endAt - kLocatorSize, kLocatorSize)
                            : std::string_view();
  if (!locator.empty() &&
      loadLittle<uint32_t>(locator.data()) == kLocatorSignature) {
    directoryEnd = loadLittle<uint64_t>(locator.data() + 8);
    std::string_view end64 =
        file.at(directoryEnd, kEnd64Size, "the 64-bit end record");
    if (file.number<uint32_t>(end64, 0) != kEnd64Signature)
      file.fail("the 64-bit end record has a wrong signature");
    directory = {file.number<uint64_t>(end64, 32),
                 file.number<uint64_t>(end64, 40),
                 file.number<uint64_t>(end64, 48)};
  }
  if (directory.size > directoryEnd ||
      directory.offset != directoryEnd - directory.size)
    file.fail("the central directory does not end where the end record begins");
  return directory;
}

/// Replaces fields of all ones by those of the 64-bit extra field.
static void readExtra64(const EntryReader &file, std::string_view extra,
                        Member &member) {
  constexpr uint64_t absent = 0xffffffff;
  if (member.size != absent && member.packedSize != absent &&
      member.localHeader != absent)
    return;
  while (extra.size() >= 4) {
    uint16_t id = file.number<uint16_t>(extra, 0);
    uint16_t size = file.number<uint16_t>(extra, 2);
    if (size > extra.size() - 4)
      break;
    std::string_view body = extra.substr(4, size);
    extra.remove_prefix(4 + size);
    if (id != 1)
      continue;
    for (uint64_t *field :
         {&member.size, &member.packedSize, &member.localHeader}) {
      if (*field != absent)
        continue;
      if (body.size() < 8)
        file.fail("a 64-bit size is missing");
      *field = file.number<uint64_t>(body, 0);
      body.remove_prefix(8);
    }
    return;
  }
  file.fail("a 64-bit size is missing");
}

std::vector<Member> zip::readDirectory(const Bytes &bytes,
                                       const std::string &where) {
  EntryReader file{bytes, where};
  Directory directory = findDirectory(file);
  if (directory.entries > directory.size / kCentralSize)
    file.fail(fmt::format("{} members do not fit a directory of {} bytes",
                          directory.entries, directory.size));
  std::vector<Member> members;
  uint64_t at = directory.offset, total = 0;
  uint64_t end = directory.offset + directory.size;
  for (uint64_t i = 0; i < directory.entries; ++i) {
    std::string_view entry = file.at(at, kCentralSize, "a directory entry");
    if (file.number<uint32_t>(entry, 0) != kCentralSignature)
      file.fail(fmt::format("directory entry {} has a wrong signature", i));
    Member member;
    member.flags = file.number<uint16_t>(entry, 8);
    member.method = file.number<uint16_t>(entry, 10);
    member.crc = file.number<uint32_t>(entry, 16);
    member.packedSize = file.number<uint32_t>(entry, 20);
    member.size = file.number<uint32_t>(entry, 24);
    member.localHeader = file.number<uint32_t>(entry, 42);
    uint64_t nameSize = file.number<uint16_t>(entry, 28);
    uint64_t extraSize = file.number<uint16_t>(entry, 30);
    uint64_t commentSize = file.number<uint16_t>(entry, 32);
    at += kCentralSize;
    member.name = file.at(at, nameSize, "a member's name");
    readExtra64(file, file.at(at + nameSize, extraSize, "an extra field"),
                member);
    at += nameSize + extraSize + commentSize;
    if (at > end)
      file.fail("the central directory is longer than it says");
    if (member.size > kMaxUnpacked - total)
      throw Error(fmt::format("{}: expected at most {} bytes unpacked, found "
                              "more",
                              where, kMaxUnpacked));
    total += member.size;
    members.push_back(std::move(member));
  }
  if (at != end)
    file.fail("the central directory is shorter than it says");
  return members;
}

/// What became of inflating: there were exactly so many bytes, there was room
/// for no more, or there was something else.
enum class Inflated { Whole, Full, Spoiled };

/// Inflates as many bytes as content has.
static Inflated inflateInto(std::string_view packed, std::string &content) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return Inflated::Spoiled;
  // zlib counts in unsigned int, so both sides are handed over in pieces.
  constexpr size_t piece = size_t(1) << 30;
  char beyond; // one byte more than declared would land here
  size_t in = 0, out = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    size_t inSize = std::min(piece, packed.size() - in);
    size_t outSize = std::min(piece, content.size() - out);
    bool full = outSize == 0;
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(packed.data() + in));
    stream.avail_in = static_cast<uInt>(inSize);
    stream.next_out =
        reinterpret_cast<Bytef *>(full ? &beyond : content.data() + out);
    stream.avail_out = static_cast<uInt>(full ? 1 : outSize);
    status = inflate(&stream, Z_NO_FLUSH);
    in += inSize - stream.avail_in;
    if (full && stream.avail_out == 0)
      status = Z_DATA_ERROR;
    if (!full)
      out += outSize - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status == Z_STREAM_END && in == packed.size() && out == content.size())
    return Inflated::Whole;
  return out == content.size() ? Inflated::Full : Inflated::Spoiled;
}

/// Where a member's packed content begins, after its own header was checked.
static uint64_t contentOf(const EntryReader &file, const Member &member) {
  if (member.flags & 1)
    throw Error(file.where + ": encrypted members are not read");
  if (member.method != 0 && member.method != Z_DEFLATED)
    throw Error(fmt::format("{}: expected a stored or deflated member, found "
                            "method {}",
                            file.where, member.method));
  std::string_view local =
      file.at(member.localHeader, kLocalSize, "the member's header");
  if (file.number<uint32_t>(local, 0) != kLocalSignature)
    file.fail("the member's header has a wrong signature");
  uint64_t nameSize = file.number<uint16_t>(local, 26);
  uint64_t extraSize = file.number<uint16_t>(local, 28);
  uint64_t nameAt = member.localHeader + kLocalSize;
  if (file.at(nameAt, nameSize, "the member's name") != member.name)
    file.fail("the member's header has another name than the directory");
  if (member.method == 0 && member.packedSize != member.size)
    file.fail(fmt::format("expected {} bytes, found {}", member.size,
                          member.packedSize));
  // Deflate shrinks at most 1032 times, so nothing larger is allocated.
  if (member.method != 0 && member.size / 1032 > member.packedSize)
    file.fail(fmt::format("{} bytes cannot unpack to {}", member.packedSize,
                          member.size));
  return nameAt + nameSize + extraSize;
}

static void checkSum(const EntryReader &file, const Member &member,
                     std::string_view content) {
  const uint32_t crc = addToChecksum(0, content);
  if (crc != member.crc)
    file.fail(
        fmt::format("expected checksum {:08x}, found {:08x}", member.crc, crc));
}

std::string zip::unpack(const Bytes &bytes, const Member &member,
                        const std::string &where) {
  EntryReader file{bytes, where};
  const uint64_t begin = contentOf(file, member);
  std::string_view packed =
      file.at(begin, member.packedSize, "the member's content");

  std::string content;
  if (member.method == 0) {
    content = packed;
  } else {
    withMemoryFor(where, [&] { content.resize(member.size); });
    if (inflateInto(packed, content) != Inflated::Whole)
      file.fail(
          fmt::format("the content does not unpack to {} bytes", member.size));
  }
  checkSum(file, member, content);
  return content;
}

std::optional<std::string_view> zip::storedContent(const Bytes &bytes,
                                                   const Member &member,
                                                   const std::string &where) {
  if (member.method != 0)
    return std::nullopt;
  EntryReader file{bytes, where};
  const std::string_view content = file.at(
      contentOf(file, member), member.packedSize, "the member's content");
  checkSum(file, member, content);
  return content;
}

std::string zip::unpackHead(const Bytes &bytes, const Member &member,
                            const std::string &where, uint64_t count) {
  EntryReader file{bytes, where};
  const uint64_t begin = contentOf(file, member);
  // Hardly anything is longer when it is deflated, and nothing twice as long.
  count = std::min(count, member.size);
  std::string_view packed =
      file.at(begin, std::min(member.packedSize, 2 * count + 1024),
              "the member's content");
  if (member.method == 0)
    return std::string(packed.substr(0, count));
  std::string content(count, '\0');
  if (inflateInto(packed, content) == Inflated::Spoiled)
    file.fail("the content does not unpack");
  return content;
}

/// What the local header and the directory entry have in common.
static void appendCommon(std::string &out, const zip::Stored &member) {
  appendLittle<uint16_t>(out, 20);      // version needed
  appendLittle<uint16_t>(out, 1 << 11); // names in UTF-8
  appendLittle<uint16_t>(out, 0);       // stored
  appendLittle<uint16_t>(out, 0);       // 00:00:00
  appendLittle<uint16_t>(out, 0x21);    // 1980-01-01, the format's first day
  appendLittle<uint32_t>(out, member.crc);
  appendLittle<uint32_t>(out, static_cast<uint32_t>(member.size));
  appendLittle<uint32_t>(out, static_cast<uint32_t>(member.size));
  appendLittle<uint16_t>(out, static_cast<uint16_t>(member.name.size()));
  appendLittle<uint16_t>(out, 0); // no extra field
}

uint32_t zip::addToChecksum(uint32_t crc, std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(
      crc, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

uint32_t zip::joinChecksums(uint32_t first, uint32_t second, uint64_t size) {
  return static_cast<uint32_t>(
      crc32_combine64(first, second, static_cast<z_off64_t>(size)));
}

void zip::checkFits(const std::vector<Stored> &members) {
  uint64_t total = 0;
  for (const Stored &member : members) {
    if (member.name.size() > 0xffff)
      throw Error(fmt::format("cannot write the archive: expected a name of at "
                              "most 65535 bytes, found {}",
                              member.name.size()));
    total += 2 * (member.name.size() + 64) + member.size;
  }
  if (total >= 0xffffffff || members.size() >= 0xffff)
    throw Error(fmt::format("cannot write the archive: expected less than 4 "
                            "GiB and 65535 members, found {} bytes and {}",
                            total, members.size()));
}

std::string zip::headOf(const Stored &member) {
  std::string head;
  appendLittle<uint32_t>(head, 0x04034b50);
  appendCommon(head, member);
  return head + member.name;
}

std::string zip::directoryOf(const std::vector<Stored> &members,
                             uint64_t offset) {
  std::string directory;
  for (const Stored &member : members) {
    appendLittle<uint32_t>(directory, 0x02014b50);
    appendLittle<uint16_t>(directory, 20); // version made by
    appendCommon(directory, member);
    directory.append(10, '\0'); // comment, part, internal, external attributes
    appendLittle<uint32_t>(directory, static_cast<uint32_t>(member.offset));
    directory += member.name;
  }
  const uint32_t size = static_cast<uint32_t>(directory.size());
  appendLittle<uint32_t>(directory, 0x06054b50);
  appendLittle<uint32_t>(directory, 0); // part numbers
  appendLittle<uint16_t>(directory, static_cast<uint16_t>(members.size()));
  appendLittle<uint16_t>(directory, static_cast<uint16_t>(members.size()));
  appendLittle<uint32_t>(directory, size);
  appendLittle<uint32_t>(directory, static_cast<uint32_t>(offset));
  appendLittle<uint16_t>(directory, 0); // no comment
  return directory;
}

void zip::pack(const std::vector<Packed> &members, const ByteSink &sink) {
  std::vector<Stored> all;
  for (const Packed &member : members)
    all.push_back({member.name, member.size});
  checkFits(all);
  uint64_t written = 0;
  auto write = [&](std::string_view bytes) {
    written += bytes.size();
    sink(bytes);
  };
  for (size_t i = 0; i < members.size(); ++i) {
    all[i].offset = written;
    members[i].content([&](std::string_view bytes) {
      all[i].crc = addToChecksum(all[i].crc, bytes);
    });
    write(headOf(all[i]));
    members[i].content(write);
  }
  write(directoryOf(all, written));
}
