// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/Zip.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <zlib.h>

using namespace dendrolith;

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
