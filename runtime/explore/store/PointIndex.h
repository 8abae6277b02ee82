// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a store in few files, so that a reader opens no thousands and
// parses none. Who writes points adds their copies to a file of its own; of a
// point without one, as its writer was killed or the index deleted, the file is
// read and a copy added.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_POINTINDEX_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_POINTINDEX_H

#include "runtime/explore/store/PointFiles.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dendrolith::explore {

/// STORE/index, which may be deleted at any time.
std::string indexPath(const std::string &store);

/// A point, packed(), and its file as that was then.
struct PointCopy {
  std::string key;
  FileStamp stamp;
  std::string packed;
};
/// A copy may be lost: that the disk is full is no error here.
void addCopies(const std::string &store, const std::vector<PointCopy> &copies);

/// Each point by its key; an empty copy for a file that holds no point.
struct PackedPoints {
  struct Entry {
    FileStamp stamp;
    std::optional<std::string_view> copy = std::nullopt; ///< packed()
  };
  std::unordered_map<std::string, Entry> points;
  /// What copies are parts of: index files, and texts.
  std::vector<std::shared_ptr<const char>> mapped;
  std::deque<std::string> texts;
  PackedPoints() = default;
  PackedPoints(PackedPoints &&) = default;
};
/// From the index where it has the file as it is. Throws Error where a file
/// cannot be read.
PackedPoints packedPoints(const std::string &store);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_POINTINDEX_H
