// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/VerifyStore.h"

#include "runtime/explore/store/PointFiles.h"
#include "runtime/explore/store/PointIndex.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <unordered_set>

namespace dendrolith::explore {
namespace {

std::unordered_set<std::string> keysOf(const Store &store) {
  std::unordered_set<std::string> keys;
  const Designs &designs = store.designs();
  for (uint64_t i = 0; i < designs.size(); ++i)
    if (const Design design = designs.at(i); !designs.excluded(design))
      keys.insert(store.keyOf(design));
  return keys;
}

/// What is wrong with a file that has the name of a point; "" where nothing is.
std::string problemOf(const Store &store, const std::string &key,
                      const std::string &text,
                      const std::unordered_set<std::string> &keys) {
  const std::string place = pointPath(store.folder(), key);
  try {
    const Point point = pointOf(text, place);
    if (store.keyOf(point.design) != key)
      return place + ": is a point of another study or of other files; remove "
                     "it";
    // An outside optimiser may ask for designs that no list has.
    if (!keys.count(key) &&
        store.study().strategy.method != Strategy::Method::Ask)
      return place + ": is of no design of this study; remove it";
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

} // namespace

Verified verify(const Store &store) {
  Verified verified;
  std::vector<std::string> others;
  std::vector<std::string> names;
  forEachPoint(
      store.folder(),
      [&](std::string key, const FileStamp &) {
        names.push_back(std::move(key));
      },
      &others);
  std::sort(others.begin(), others.end());
  for (const std::string &path : others)
    verified.problems.push_back(
        path + (path.size() > 5 && path.substr(path.size() - 5) == ".part"
                    ? ": is half-written; the next run removes it where its "
                      "writer is gone"
                    : ": is no file of a point; remove it"));
  auto keys = keysOf(store);
  const PackedPoints indexed = packedPoints(store.folder());
  std::sort(names.begin(), names.end());
  for (const std::string &key : names) {
    const std::string text = readPoint(store.folder(), key);
    const std::string problem = problemOf(store, key, text, keys);
    if (!problem.empty())
      verified.problems.push_back(problem);
    else
      ++verified.points;
    const auto copy = indexed.points.find(key);
    if (copy != indexed.points.end() && problem.empty() &&
        *copy->second.copy !=
            packed(pointOf(text, pointPath(store.folder(), key))))
      verified.problems.push_back(indexPath(store.folder()) +
                                  ": holds another point than " +
                                  pointPath(store.folder(), key) +
                                  "; remove the index, it is made anew");
    keys.erase(key);
  }
  verified.missing = keys.size();
  return verified;
}

} // namespace dendrolith::explore
