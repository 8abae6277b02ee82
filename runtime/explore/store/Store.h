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
//   index.sqlite            the points in one file; may be deleted at any time

#ifndef NEURITE_RUNTIME_EXPLORE_STORE_STORE_H
#define NEURITE_RUNTIME_EXPLORE_STORE_STORE_H

#include "runtime/explore/point/StoredPoint.h"
#include "runtime/explore/study/Designs.h"
#include "runtime/explore/study/Study.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace neurite::explore {

/// Whether a folder holds a store.
bool isStore(const std::string &folder);

class Store {
public:
  /// Opens a store that is there. Throws Error where it is none, or one of
  /// another version.
  explicit Store(std::string folder);

  /// Opens the store of the study in `file`, which is made where it is not
  /// there; the study and all that it names are checked. Throws Error where the
  /// folder holds the points of another study, saying what differs.
  static Store of(const std::string &file, std::string folder,
                  bool manyPoints = false);

  const std::string &folder() const { return path; }
  /// The study; `baseline`, `objectives` and the like are those of the last one
  /// that was measured into the store.
  const Study &study() const { return asked; }
  const Designs &designs() const { return *all; }

  /// The SHA-256 that names the file of a design, and the file.
  std::string keyOf(const Design &design) const;
  std::string fileOf(const std::string &key) const;
  /// The keys of all points that are there.
  std::unordered_set<std::string> keys() const;

  /// All points that are finished or excluded, by rising number. Throws Error
  /// with the path of a file that is no point.
  std::vector<StoredPoint> points() const;

  /// The points of designs that no list holds, as an outside optimiser asks for
  /// them: finished ones, in the order asked, numbered from 1 on.
  std::vector<StoredPoint> points(const std::vector<Design> &designs) const;

private:
  Store(std::string folder, Study study, std::string dependencies);
  std::string path;
  Study asked;
  std::string dependencies; ///< the SHA-256 of what all points depend on
  std::shared_ptr<const Designs> all;
};

} // namespace neurite::explore

#endif // NEURITE_RUNTIME_EXPLORE_STORE_STORE_H
