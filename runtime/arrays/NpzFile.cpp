// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/NpzFile.h"

#include "runtime/arrays/FileBytes.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/WriteArrays.h"
#include "targets/support/Text.h"

#include <algorithm>

namespace neurite {

NpzFile::NpzFile(int given, std::string fileName, const Layouts &layouts)
    : descriptor(ValueFile::own(given)), name(std::move(fileName)) {
  std::vector<std::string> heads; // of the arrays' own format
  for (const auto &[array, layout] : layouts) {
    const bool wide = layout.form == ValueFile::Form::Int64;
    heads.push_back(npy::formatHeader(wide ? "<i8" : "<i4", layout.shape));
    const uint64_t bytes =
        heads.back().size() + (wide ? 8 : 4) * product(layout.shape);
    members.push_back({npzMember(array), bytes, 0, directoryAt});
    directoryAt += zip::headOf(members.back()).size() + bytes;
  }
  zip::checkFits(members);
  size_t i = 0;
  for (const auto &[array, layout] : layouts) {
    const uint64_t head = members[i].offset + zip::headOf(members[i]).size();
    writeAt(*descriptor, name, head, heads[i]);
    // In rising order, as each of them ends the file behind its own numbers.
    arrays[array] = std::make_shared<ValueFile>(descriptor, name, layout.form,
                                                head + heads[i].size(),
                                                product(layout.shape));
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
    writeAt(*descriptor, name, member.offset, zip::headOf(member));
  }
  writeAt(*descriptor, name, directoryAt,
          zip::directoryOf(members, directoryAt));
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
    const auto count = size_t(std::min<uint64_t>(end - at, piece.size()));
    readAt(*descriptor, name, at, piece.data(), count);
    sink(std::string_view(piece).substr(0, count));
    at += count;
  }
}

} // namespace neurite
