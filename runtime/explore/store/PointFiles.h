// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a point: its JSON with a checksum behind it. A file appears whole
// or not at all, and is never changed.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_POINTFILES_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_POINTFILES_H

#include "runtime/explore/point/Point.h"
#include "runtime/host/Files.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct PointCopy;

/// STORE/points/ab/cdef....json, for a key "abcdef...".
std::string pointPath(const std::string &store, const std::string &key);

struct FileStamp {
  uint64_t size = 0;
  int64_t changed = 0; ///< ns
  bool operator==(const FileStamp &o) const {
    return size == o.size && changed == o.changed;
  }
};
/// Calls `visit` with the key of each point that lies in a store; of what is no
/// file of a point `others` gets the paths. Throws Error where the folder
/// cannot be read.
void forEachPoint(
    const std::string &store,
    const std::function<void(std::string, const FileStamp &)> &visit,
    std::vector<std::string> *others = nullptr);
/// All keys, without a look at each file, which is slow on a network
/// file system; at a link alone. One that leads nowhere is no point.
std::vector<std::string> pointKeys(const std::string &store);

/// The bytes of a point, the same wherever it was measured.
std::string textOf(const Point &point);
/// Throws Error with `place` where the text is not what textOf() made.
Point pointOf(const std::string &text, const std::string &place);
/// The files of so few points are looked at one by one: a store's folders are
/// not listed for them.
constexpr uint64_t kFewPoints = 4;
/// Reads the file of a key. Throws Error.
std::string readPoint(const std::string &store, const std::string &key);

/// Writes points so that a lost machine loses none that has appeared. Waiting
/// for the disk takes longer than a fast measurement does: points that come
/// within a moment wait together, and appear at the next flush().
class PointWriter {
public:
  explicit PointWriter(std::string store);
  /// What was not flushed is not there.
  ~PointWriter();

  /// Throws Error with the path: a full disk, a folder that is not writable.
  void add(const std::string &key, const Point &point);
  void flush();

private:
  using Clock = std::chrono::steady_clock;
  std::string store;
  std::vector<AtomicFile> waiting;
  std::vector<PointCopy> copies; ///< of what waits, for the index
  std::vector<std::string> folders;
  Clock::time_point last = {};
  Clock::duration took = {};
};

/// Whether a file is half-written and nobody will go on with it: its writer
/// died on this machine, or it was not touched for an hour.
bool isAbandoned(const std::filesystem::directory_entry &entry);
/// Removes such files from where points are.
void removeHalfWritten(const std::string &store);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_POINTFILES_H
