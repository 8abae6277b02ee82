// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/NpzFile.h"

#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/ValueFile.h"
#include "runtime/arrays/WriteArrays.h"
#include "targets/support/Text.h"

#include <algorithm>

namespace dendrolith {

/// NumPy's name of it.
static const char *typeOf(ValueFile::ValueType form) {
  switch (form) {
  case ValueFile::ValueType::Int32:
    return "<i4";
  case ValueFile::ValueType::Int64:
    return "<i8";
  case ValueFile::ValueType::Real:
    break;
  }
  return "<f8";
}

NpzFile::NpzFile(int given, std::string fileName, const Layouts &layouts,
                 Writers writers)
    : descriptor(ValueFile::own(given)), name(std::move(fileName)) {
  for (const auto &[array, layout] : layouts) {
    heads.push_back(npy::formatHeader(typeOf(layout.form), layout.shape));
    const uint64_t bytes =
        heads.back().size() +
        ValueFile::bytesOf(layout.form) * product(layout.shape);
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
    if (writers == Writers::ThisProcess)
      arrays[array]->keepChecksum();
    ++i;
  }
}

void NpzFile::finish() {
  if (finished)
    return;
  for (size_t i = 0; i < members.size(); ++i) {
    members[i].crc = checksumOf(i);
    writeAt(*descriptor, name, members[i].offset, zip::headOf(members[i]));
  }
  writeAt(*descriptor, name, directoryAt,
          zip::directoryOf(members, directoryAt));
  finished = true;
}

uint32_t NpzFile::checksumOf(size_t i) const {
  const zip::Stored &member = members[i];
  const auto array = std::next(arrays.begin(), ptrdiff_t(i));
  if (std::optional<uint32_t> kept = array->second->checksum())
    return zip::joinChecksums(zip::addToChecksum(0, heads[i]), *kept,
                              member.size - heads[i].size());
  const uint64_t begin = member.offset + zip::headOf(member).size();
  uint32_t crc = 0;
  readRange(begin, begin + member.size, [&](std::string_view bytes) {
    crc = zip::addToChecksum(crc, bytes);
  });
  return crc;
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

} // namespace dendrolith
