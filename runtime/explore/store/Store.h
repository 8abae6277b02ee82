// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of one study in a folder, which grows while the study is measured
// and can be read at any time:
//
//   spec.yaml, points.csv   the study, and the file of its designs if it has
//   one identity.json           what its points depend on: contents and
//   versions points/ab/cdef....json  a finished point, named by its design
//   effort/*.jsonl          what points took, one line each
//   stages/                 what stages left for others
//   claims/, log/           who measures what, and what it printed
//   index/                  copies of the points; may be deleted at any time

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_STORE_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_STORE_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Designs.h"
#include "runtime/explore/study/ReadStudy.h"
#include "runtime/explore/study/Study.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// Whether a folder holds a store.
bool isStore(const std::string &folder);

class Store {
public:
  /// Opens a store that is there, to look at it. Throws Error where it is none,
  /// or one of another version.
  explicit Store(std::string folder);

  /// Opens the store of a study, to measure it; it is made where it is not
  /// there. Throws Error where the study or what it names is not right, and
  /// where the folder holds the points of another study, saying what differs.
  static Store of(const StudySource &source, std::string folder);
  static Store of(const std::string &file, std::string folder) {
    return of(sourceOf(file), std::move(folder));
  }
  /// Opens a store that is there, to go on measuring it. Throws Error also
  /// where a file of the study has changed since.
  static Store again(std::string folder);

  const std::string &folder() const { return path; }
  /// The study; what only views depend on (`baseline` of `mapping: each`,
  /// `objectives`, `constraints`, `budget`) is as in the last file that it was
  /// measured from.
  const Study &study() const { return asked; }
  const Designs &designs() const { return *all; }

  /// The SHA-256 that names the file of a design.
  std::string keyOf(const Design &design) const;

  /// All points that are finished or excluded, by rising number. Throws Error
  /// with the path of a file that is no point. From an outside optimiser only
  /// answered designs count, in the order in which it asked.
  std::vector<StoredPoint> points(bool withEffort = false) const;
  /// The points of these designs, numbered from 1 on in their order.
  std::vector<StoredPoint> points(const std::vector<Design> &designs,
                                  bool withEffort = false) const;

private:
  Store(std::string folder, Study study, const nlohmann::ordered_json &about);
  std::vector<StoredPoint>
  collect(uint64_t count, const std::function<Design(uint64_t)> &designAt,
          bool withEffort) const;

  std::string path;
  Study asked;
  std::string dependencies; ///< the SHA-256 of what all points depend on
  std::shared_ptr<const Designs> all;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_STORE_H
