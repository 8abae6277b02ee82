// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured points in a folder, one small file each, so that a search which was
// stopped goes on where it was.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_POINTSTORE_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_POINTSTORE_H

#include "runtime/explore/tune/TunePoint.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace dendrolith::tuning {

/// A file is named by the SHA-256 of the bits and of all else that a
/// measurement depends on, so that one of other data or flags is never taken.
class PointStore {
public:
  /// Makes `folder` if it is not there. Throws Error.
  PointStore(std::string folder, nlohmann::ordered_json context);

  /// The point of these bits; nothing where there is none, or no whole file.
  std::optional<Point> find(const Bits &bits) const;
  /// Writes the point; its file appears whole. Throws Error.
  void add(const Point &point) const;

private:
  std::string fileOf(const Bits &bits) const;
  std::string folder;
  nlohmann::ordered_json context;
};

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_POINTSTORE_H
