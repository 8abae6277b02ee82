// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/PointIndex.h"

#include "targets/support/Error.h"

#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

namespace fs = std::filesystem;
constexpr size_t kCopies = 256, kKey = 64;

/// What stands before the bytes of a copy.
struct Head {
  uint64_t sum; ///< of all behind it, the bytes of the copy, too
  uint64_t length, size;
  int64_t changed;
  char key[kKey];
};
static_assert(sizeof(Head) == 4 * sizeof(uint64_t) + kKey);

/// Tells a copy that the disk has changed (FNV-1a by words).
uint64_t checksumOf(std::string_view bytes) {
  uint64_t sum = 0xcbf29ce484222325;
  while (!bytes.empty()) {
    const size_t count = std::min(bytes.size(), sizeof(uint64_t));
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), count);
    sum = (sum ^ word) * 0x100000001b3;
    sum ^= sum >> 32;
    bytes.remove_prefix(count);
  }
  return sum;
}

std::string recordOf(const PointCopy &copy) {
  Head head = {0, copy.packed.size(), copy.stamp.size, copy.stamp.changed, {}};
  copy.key.copy(head.key, kKey);
  std::string record(reinterpret_cast<const char *>(&head), sizeof head);
  record += copy.packed;
  head.sum = checksumOf(std::string_view(record).substr(sizeof head.sum));
  std::memcpy(record.data(), &head.sum, sizeof head.sum);
  return record;
}

/// Takes the copies of files as they are; false where the text is damaged. Its
/// end may be missing, as its writer is at it or was killed.
bool take(std::string_view text, PackedPoints &into) {
  Head head;
  while (text.size() >= sizeof head) {
    std::memcpy(&head, text.data(), sizeof head);
    if (head.length > text.size() - sizeof head)
      return true;
    const std::string_view record = text.substr(0, sizeof head + head.length);
    if (checksumOf(record.substr(sizeof head.sum)) != head.sum)
      return false;
    const auto file = into.points.find(std::string(head.key, kKey));
    if (file != into.points.end() &&
        file->second.stamp == FileStamp{head.size, head.changed})
      file->second.copy = record.substr(sizeof head);
    text.remove_prefix(record.size());
  }
  return true;
}

/// The bytes of a file, which no writer shortens; none where it cannot be read.
std::string_view mapFile(const std::string &path, PackedPoints &into) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const off_t size = file < 0 ? 0 : ::lseek(file, 0, SEEK_END);
  void *at = size <= 0 ? MAP_FAILED
                       : ::mmap(nullptr, size_t(size), PROT_READ,
                                MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (file >= 0)
    ::close(file);
  if (at == MAP_FAILED)
    return {};
  into.mapped.emplace_back(static_cast<const char *>(at),
                           [size](const char *bytes) {
                             ::munmap(const_cast<char *>(bytes), size_t(size));
                           });
  return {into.mapped.back().get(), size_t(size)};
}

/// "" where the file holds no point, which only who wants that one says.
std::string packedFile(const std::string &store, const std::string &key) {
  const std::string text = readPoint(store, key);
  try {
    return packed(pointOf(text, pointPath(store, key)));
  } catch (const Error &) {
    return "";
  }
}

} // namespace

std::string indexPath(const std::string &store) { return store + "/index"; }

void addCopies(const std::string &store, const std::vector<PointCopy> &copies) {
  std::error_code ignored;
  fs::create_directory(indexPath(store), ignored);
  const std::string path =
      fmt::format("{}/{}.{}", indexPath(store), hostName(), ::getpid());
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  std::string text;
  for (const PointCopy &copy : copies)
    text += recordOf(copy);
  const ssize_t written = ::write(file, text.data(), text.size());
  ::close(file);
  if (written != ssize_t(text.size()))
    ::unlink(path.c_str()); // what is added behind a part would be no copy
}

PackedPoints packedPoints(const std::string &store) {
  PackedPoints all;
  forEachPoint(store, [&](std::string key, const FileStamp &stamp) {
    all.points.emplace(std::move(key), PackedPoints::Entry{stamp});
  });
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(indexPath(store), ignored)) {
    const std::string path = entry.path().string();
    if (!take(mapFile(path, all), all))
      ::unlink(path.c_str()); // made anew; what is right in it holds
  }
  std::vector<PointCopy> missing;
  const auto add = [&] {
    addCopies(store, missing);
    for (PointCopy &copy : missing)
      all.points.at(copy.key).copy =
          all.texts.emplace_back(std::move(copy.packed));
    missing.clear();
  };
  for (const auto &[key, entry] : all.points)
    if (!entry.copy) {
      missing.push_back({key, entry.stamp, packedFile(store, key)});
      if (missing.size() == kCopies)
        add();
    }
  if (!missing.empty())
    add();
  return all;
}

} // namespace dendrolith::explore
