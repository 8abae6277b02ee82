// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/NpzFile.h"

#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/WriteArrays.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace neurite {

NpzFile::NpzFile(int given, std::string fileName, const Shapes &shapes)
    : descriptor(ValueFile::own(given)), name(std::move(fileName)) {
  std::vector<std::string> heads; // of the arrays' own format
  for (const auto &[array, shape] : shapes) {
    heads.push_back(npy::formatHeader("<i8", shape));
    const uint64_t bytes = heads.back().size() + 8 * product(shape);
    members.push_back({npzMember(array), bytes, 0, directoryAt});
    directoryAt += zip::headOf(members.back()).size() + bytes;
  }
  zip::checkFits(members);
  size_t i = 0;
  for (const auto &[array, shape] : shapes) {
    const uint64_t head = members[i].offset + zip::headOf(members[i]).size();
    write(head, heads[i]);
    // In rising order, as each of them ends the file behind its own numbers.
    arrays[array] =
        std::make_shared<ValueFile>(descriptor, name, ValueFile::Form::Int64,
                                    head + heads[i].size(), product(shape));
    ++i;
  }
}

void NpzFile::finish() {
  if (finished)
    return;
  for (zip::Stored &member : members) {
    const uint64_t begin = member.offset + zip::headOf(member).size();
    member.crc = 0;
    readRange(begin, begin + member.size, [&](std::string_view bytes) {
      member.crc = zip::addToChecksum(member.crc, bytes);
    });
    write(member.offset, zip::headOf(member));
  }
  write(directoryAt, zip::directoryOf(members, directoryAt));
  finished = true;
}

void NpzFile::read(const ByteSink &sink) {
  finish();
  readRange(0, directoryAt, sink);
  sink(zip::directoryOf(members, directoryAt));
}

void NpzFile::readRange(uint64_t at, uint64_t end, const ByteSink &sink) const {
  // Pieces that a processor's second cache holds.
  std::string piece(size_t(1) << 18, '\0');
  while (at < end) {
    errno = 0;
    const ssize_t found =
        ::pread(*descriptor, piece.data(),
                size_t(std::min<uint64_t>(end - at, piece.size())),
                static_cast<off_t>(at));
    if (found == 0 || (found < 0 && errno != EINTR))
      throw Error(
          fmt::format("{}: cannot read: {}", name,
                      errno ? std::strerror(errno) : "it became shorter"));
    if (found > 0) {
      sink(std::string_view(piece).substr(0, size_t(found)));
      at += uint64_t(found);
    }
  }
}

void NpzFile::write(uint64_t at, const std::string &bytes) const {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t wrote =
        ::pwrite(*descriptor, bytes.data() + done, bytes.size() - done,
                 static_cast<off_t>(at + done));
    if (wrote < 0 && errno != EINTR)
      throw Error(
          fmt::format("{}: cannot write: {}", name, std::strerror(errno)));
    done += wrote > 0 ? size_t(wrote) : 0;
  }
}

} // namespace neurite
