// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace neurite;

static constexpr std::string_view kSuffix = ".npy";

static std::string memberPlace(const std::string &where,
                               const std::string &name) {
  return fmt::format("{}, member '{}'", where, printable(name));
}

namespace {
struct Entry {
  std::string name, place;
  zip::Member member;
};
} // namespace

/// The directory with names checked and without their suffix.
static std::vector<Entry> readEntries(std::string_view bytes,
                                      const std::string &where) {
  std::vector<Entry> entries;
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

std::map<std::string, Array>
neurite::parseNpz(std::string_view bytes, const std::string &where,
                  const std::vector<std::string> &names) {
  std::map<std::string, Array> arrays;
  uint64_t elements = 0; // one byte of a file can be eight once decoded
  std::string known;
  for (const Entry &entry : readEntries(bytes, where)) {
    if (known.size() < 256)
      known += (known.empty() ? "" : ", ") + printable(entry.name);
    if (names.empty() ||
        std::find(names.begin(), names.end(), entry.name) != names.end())
      elements +=
          (arrays[entry.name] = parseNpy(
               zip::unpack(bytes, entry.member, entry.place), entry.place))
              .size();
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
neurite::loadNpz(const std::string &path,
                 const std::vector<std::string> &names) {
  return parseNpz(readFile(path, zip::kMaxUnpacked), path, names);
}

std::vector<std::string> neurite::listNpz(const std::string &path) {
  std::vector<std::string> names;
  for (Entry &entry : readEntries(readFile(path, zip::kMaxUnpacked), path))
    names.push_back(std::move(entry.name));
  return names;
}

/// Archives are unpacked as files, and some programs follow any path.
static bool leavesFolder(const std::string &name) {
  return name[0] == '/' || name.find('\\') != name.npos ||
         ("/" + name + "/").find("/../") != std::string::npos;
}

std::string neurite::formatNpz(const std::map<std::string, Array> &arrays) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto &[name, array] : arrays) {
    if (name.empty() || name.find('\0') != name.npos || leavesFolder(name))
      throw Error(fmt::format("cannot write the archive: expected a name that "
                              "can be a file's for each array, found '{}'; "
                              "rename it in the model",
                              printable(name)));
    members.emplace_back(name + std::string(kSuffix), formatNpy(array));
  }
  return zip::pack(members);
}

void neurite::saveNpz(const std::string &path,
                      const std::map<std::string, Array> &arrays) {
  writeAside(path, formatNpz(arrays));
}
