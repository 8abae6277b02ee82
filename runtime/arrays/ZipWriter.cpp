// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/Zip.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <zlib.h>

using namespace neurite;

/// What the local header and the directory entry have in common.
static void appendCommon(std::string &out, const std::string &name,
                         const std::string &content, uint32_t crc) {
  appendLittle<uint16_t>(out, 20);      // version needed
  appendLittle<uint16_t>(out, 1 << 11); // names in UTF-8
  appendLittle<uint16_t>(out, 0);       // stored
  appendLittle<uint16_t>(out, 0);       // 00:00:00
  appendLittle<uint16_t>(out, 0x21);    // 1980-01-01, the format's first day
  appendLittle<uint32_t>(out, crc);
  appendLittle<uint32_t>(out, static_cast<uint32_t>(content.size()));
  appendLittle<uint32_t>(out, static_cast<uint32_t>(content.size()));
  appendLittle<uint16_t>(out, static_cast<uint16_t>(name.size()));
  appendLittle<uint16_t>(out, 0); // no extra field
}

std::string
zip::pack(const std::vector<std::pair<std::string, std::string>> &members) {
  uint64_t total = 0;
  for (const auto &[name, content] : members) {
    if (name.size() > 0xffff)
      throw Error(fmt::format("cannot write the archive: expected a name of at "
                              "most 65535 bytes, found {}",
                              name.size()));
    total += 2 * (name.size() + 64) + content.size();
  }
  if (total >= 0xffffffff || members.size() >= 0xffff)
    throw Error(fmt::format("cannot write the archive: expected less than 4 "
                            "GiB and 65535 members, found {} bytes and {}",
                            total, members.size()));
  std::string out, directory;
  out.reserve(total);
  for (const auto &[name, content] : members) {
    uint32_t offset = static_cast<uint32_t>(out.size());
    uint32_t crc = static_cast<uint32_t>(crc32_z(
        0, reinterpret_cast<const Bytef *>(content.data()), content.size()));
    appendLittle<uint32_t>(out, 0x04034b50);
    appendCommon(out, name, content, crc);
    out += name;
    out += content;

    appendLittle<uint32_t>(directory, 0x02014b50);
    appendLittle<uint16_t>(directory, 20); // version made by
    appendCommon(directory, name, content, crc);
    directory.append(10, '\0'); // comment, part, internal, external attributes
    appendLittle<uint32_t>(directory, offset);
    directory += name;
  }
  uint32_t directoryAt = static_cast<uint32_t>(out.size());
  out += directory;
  appendLittle<uint32_t>(out, 0x06054b50);
  appendLittle<uint32_t>(out, 0); // part numbers
  appendLittle<uint16_t>(out, static_cast<uint16_t>(members.size()));
  appendLittle<uint16_t>(out, static_cast<uint16_t>(members.size()));
  appendLittle<uint32_t>(out, static_cast<uint32_t>(directory.size()));
  appendLittle<uint32_t>(out, directoryAt);
  appendLittle<uint16_t>(out, 0); // no comment
  return out;
}
