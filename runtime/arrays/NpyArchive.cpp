// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/WriteArrays.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace dendrolith;

static constexpr std::string_view kSuffix = ".npy";

static std::string memberPlace(const std::string &where,
                               const std::string &name) {
  return fmt::format("{}, member '{}'", where, printable(name));
}

namespace {
struct ArchiveEntry {
  std::string name, place;
  zip::Member member;
};
} // namespace

/// The directory with names checked and without their suffix.
static std::vector<ArchiveEntry> readEntries(const zip::Bytes &bytes,
                                             const std::string &where) {
  std::vector<ArchiveEntry> entries;
  std::set<std::string> names;
  for (zip::Member &member : zip::readDirectory(bytes, where)) {
    std::string name = member.name;
    std::string place = memberPlace(where, name);
    if (name.size() <= kSuffix.size() || name.find('\0') != name.npos ||
        name.compare(name.size() - kSuffix.size(), name.npos, kSuffix) != 0)
      throw Error(place + ": expected members named NAME.npy");
    name.resize(name.size() - kSuffix.size());
    if (!names.insert(name).second)
      throw Error(place + ": appears twice");
    entries.push_back({name, std::move(place), std::move(member)});
  }
  return entries;
}

static npy::Header headOf(const zip::Bytes &bytes, const ArchiveEntry &entry) {
  npy::Header header = npy::parseHeader(
      zip::unpackHead(bytes, entry.member, entry.place, npy::kMaxHead),
      entry.place);
  npy::checkSize(header, entry.member.size, entry.place);
  return header;
}

/// The header is judged first: a member may unpack to a thousand times its
/// size.
static Array readMember(const zip::Bytes &bytes, const ArchiveEntry &entry) {
  headOf(bytes, entry);
  return parseNpy(zip::unpack(bytes, entry.member, entry.place), entry.place);
}

/// Only what is asked for of a file is read.
template <typename Work>
static auto withFile(const std::string &path, Work work) {
  InputFile file(path, zip::kMaxUnpacked);
  return work(zip::Bytes(file));
}

static std::map<std::string, Array>
readNpz(const zip::Bytes &bytes, const std::string &where,
        const std::vector<std::string> &names) {
  std::map<std::string, Array> arrays;
  uint64_t elements = 0; // one byte of a file can be eight once decoded
  std::string known;
  for (const ArchiveEntry &entry : readEntries(bytes, where)) {
    if (known.size() < 256)
      known += (known.empty() ? "" : ", ") + printable(entry.name);
    if (names.empty() ||
        std::find(names.begin(), names.end(), entry.name) != names.end())
      elements += (arrays[entry.name] = readMember(bytes, entry)).size();
    if (elements > kMaxArrayElements)
      throw Error(fmt::format("{}: expected at most {} elements in the whole "
                              "archive, found more",
                              entry.place, kMaxArrayElements));
  }
  for (const std::string &name : names)
    if (!arrays.count(name))
      throw Error(fmt::format("{}: expected a member '{}', found {}", where,
                              name, known.empty() ? "none" : known));
  return arrays;
}

std::map<std::string, Array>
dendrolith::parseNpz(std::string_view bytes, const std::string &where,
                     const std::vector<std::string> &names) {
  return readNpz(bytes, where, names);
}

std::map<std::string, Array>
dendrolith::loadNpz(const std::string &path,
                    const std::vector<std::string> &names) {
  return withFile(path, [&](const zip::Bytes &bytes) {
    return readNpz(bytes, path, names);
  });
}

std::vector<std::string> dendrolith::listNpz(const std::string &path) {
  std::vector<std::string> names;
  withFile(path, [&](const zip::Bytes &bytes) {
    for (ArchiveEntry &entry : readEntries(bytes, path))
      names.push_back(std::move(entry.name));
  });
  return names;
}

std::map<std::string, ArrayHead>
dendrolith::headsOfNpz(const std::string &path) {
  std::map<std::string, ArrayHead> heads;
  withFile(path, [&](const zip::Bytes &bytes) {
    for (const ArchiveEntry &entry : readEntries(bytes, path)) {
      const npy::Header header = headOf(bytes, entry);
      heads[entry.name] = {header.type.kind(), header.shape};
    }
  });
  return heads;
}

/// Archives are unpacked as files, and some programs follow any path.
static bool leavesFolder(const std::string &name) {
  return name[0] == '/' || name.find('\\') != name.npos ||
         ("/" + name + "/").find("/../") != std::string::npos;
}

std::string dendrolith::npzMember(const std::string &name) {
  if (name.empty() || name.find('\0') != name.npos || leavesFolder(name))
    throw Error(fmt::format("cannot write the archive: expected a name that "
                            "can be a file's for each array, found '{}'; "
                            "rename it in the model",
                            printable(name)));
  return name + std::string(kSuffix);
}

void dendrolith::writeNpz(const std::map<std::string, ArrayView> &arrays,
                          const ByteSink &sink) {
  std::vector<zip::Packed> members;
  for (const auto &item : arrays) {
    const ArrayView &array = item.second;
    members.push_back(
        {npzMember(item.first), bytesOfNpy(array),
         [&array](const ByteSink &bytes) { writeNpy(array, bytes); }});
  }
  zip::pack(members, sink);
}

/// Views of all arrays, which outlive them.
static std::map<std::string, ArrayView>
viewsOf(const std::map<std::string, Array> &arrays) {
  return {arrays.begin(), arrays.end()};
}

std::string dendrolith::formatNpz(const std::map<std::string, Array> &arrays) {
  return bytesOf(
      [&](const ByteSink &sink) { writeNpz(viewsOf(arrays), sink); });
}

void dendrolith::saveNpz(const std::string &path,
                         const std::map<std::string, Array> &arrays) {
  AtomicFile file(path);
  writeNpz(viewsOf(arrays), [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}
