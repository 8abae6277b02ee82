// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/PointFiles.h"

#include "runtime/explore/store/PointIndex.h"
#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kPointBytes = uint64_t(1) << 30;
constexpr size_t kTogether = 256; // descriptors that wait at the most
constexpr size_t kFew = 4;        // are sooner on the disk one by one

// The checksum is the last member, and that of the text without it.
const std::string kSumHead = ",\n \"sha256\": \"", kSumTail = "\"\n}\n";
constexpr size_t kSum = 64;

bool isHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string pointsFolder(const std::string &store) { return store + "/points"; }

template <typename Each>
void eachEntry(const std::string &folder, const Each &each) {
  std::error_code error;
  fs::directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error))
    each(*at);
  if (error && error != std::errc::no_such_file_or_directory)
    throw Error(folder + ": cannot read: " + error.message());
}

/// Calls `point` with key and entry of each file that is one, and `other` with
/// each other one.
template <typename OnPoint, typename OnOther>
void walk(const std::string &store, const OnPoint &point,
          const OnOther &other) {
  eachEntry(pointsFolder(store), [&](const fs::directory_entry &outer) {
    const std::string two = outer.path().filename().string();
    if (two.size() != 2 || !isHex(two))
      return other(outer);
    eachEntry(outer.path().string(), [&](const fs::directory_entry &entry) {
      std::string_view name = entry.path().native();
      name.remove_prefix(name.rfind('/') + 1);
      // The kind of an entry comes with the folder; a link is followed.
      std::error_code ignored;
      if (name.size() == 62 + 5 && name.substr(62) == ".json" &&
          isHex(name.substr(0, 62)) && entry.is_regular_file(ignored))
        point(std::string(two).append(name.substr(0, 62)), entry);
      else
        other(entry);
    });
  });
}

std::optional<FileStamp> stampOf(const char *path) {
  struct stat status;
  if (::stat(path, &status) != 0)
    return std::nullopt;
  return FileStamp{uint64_t(status.st_size),
                   int64_t(status.st_mtim.tv_sec) * 1000000000 +
                       status.st_mtim.tv_nsec};
}

} // namespace

std::string pointPath(const std::string &store, const std::string &key) {
  return pointsFolder(store) + "/" + key.substr(0, 2) + "/" + key.substr(2) +
         ".json";
}

void forEachPoint(
    const std::string &store,
    const std::function<void(std::string, const FileStamp &)> &visit,
    std::vector<std::string> *others) {
  walk(
      store,
      [&](std::string key, const fs::directory_entry &entry) {
        if (const auto stamp = stampOf(entry.path().c_str()))
          visit(std::move(key), *stamp);
      },
      [&](const fs::directory_entry &entry) {
        if (others)
          others->push_back(entry.path().string());
      });
}

std::vector<std::string> pointKeys(const std::string &store) {
  std::vector<std::string> keys;
  walk(
      store,
      [&](const std::string &key, const fs::directory_entry &) {
        keys.push_back(key);
      },
      [](const fs::directory_entry &) {});
  return keys;
}

std::string textOf(const Point &point) {
  std::string text =
      toJson(point).dump(1, ' ', false, Json::error_handler_t::replace);
  const std::string sum = sha256(text);
  text.resize(text.size() - 2); // "\n}"
  return text + kSumHead + sum + kSumTail;
}

Point pointOf(const std::string &text, const std::string &place) {
  const size_t tail = kSumHead.size() + kSum + kSumTail.size();
  const auto corrupt = [&] {
    return Error(place + ": is corrupt, its checksum is not that of its "
                         "content; remove it, and the next run measures the "
                         "point again");
  };
  if (text.size() < tail)
    throw corrupt();
  const size_t body = text.size() - tail, sum = body + kSumHead.size();
  if (text.compare(body, kSumHead.size(), kSumHead) != 0 ||
      text.compare(sum + kSum, kSumTail.size(), kSumTail) != 0 ||
      sha256(text.substr(0, body) + "\n}") != text.substr(sum, kSum))
    throw corrupt();
  return pointFrom(readJson<Json>(text, place), place);
}

std::string readPoint(const std::string &store, const std::string &key) {
  return readFile(pointPath(store, key), kPointBytes);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

PointWriter::PointWriter(std::string folder) : store(std::move(folder)) {}
PointWriter::~PointWriter() = default;

void PointWriter::add(const std::string &key, const Point &point) {
  const std::string folder = pointsFolder(store) + "/" + key.substr(0, 2);
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    makeFolder(folder);
    syncFolder(pointsFolder(store));
  }
  AtomicFile file(pointPath(store, key));
  file.write(textOf(point));
  waiting.push_back(std::move(file));
  copies.push_back({key, {}, packed(point)});
  if (std::find(folders.begin(), folders.end(), folder) == folders.end())
    folders.push_back(folder);
  // A tenth of the time at the most is spent on waiting for the disk.
  if (waiting.size() >= kTogether || Clock::now() - last >= 10 * took)
    flush();
}

void PointWriter::flush() {
  if (waiting.empty())
    return;
  const auto begin = Clock::now();
  const bool few = waiting.size() <= kFew;
  if (!few)
    syncFileSystem(store);
  for (AtomicFile &file : waiting) {
    if (few)
      file.sync();
    file.commit();
  }
  waiting.clear();
  for (PointCopy &copy : copies)
    copy.stamp =
        stampOf(pointPath(store, copy.key).c_str()).value_or(FileStamp());
  addCopies(store, copies);
  copies.clear();
  if (!few)
    syncFileSystem(store);
  else
    for (const std::string &folder : folders)
      syncFolder(folder);
  folders.clear();
  last = Clock::now();
  took = std::min<Clock::duration>(last - begin, std::chrono::seconds(1));
}

bool isAbandoned(const fs::directory_entry &entry) {
  const auto writer = writerOf(entry.path().filename().string());
  if (!writer)
    return false;
  std::error_code error;
  const auto changed = entry.last_write_time(error);
  const bool old = !error && fs::file_time_type::clock::now() - changed >
                                 std::chrono::hours(1);
  return old || (writer->host == hostName() && beginOf(writer->pid).empty());
}

void removeHalfWritten(const std::string &store) {
  walk(
      store, [](const std::string &, const fs::directory_entry &) {},
      [&](const fs::directory_entry &entry) {
        if (isAbandoned(entry))
          ::unlink(entry.path().c_str());
      });
}

} // namespace dendrolith::explore
