// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a store in one SQLite file, so that a reader opens one file and
// not thousands, and parses none. The file holds copies: it is made anew after
// it was deleted, and where it cannot be used the files of the points are read.
// Workers never open it.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_POINTINDEX_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_POINTINDEX_H

#include <string>
#include <unordered_map>

namespace dendrolith::explore {

/// STORE/index.sqlite.
std::string indexPath(const std::string &store);

/// Each point by its key, packed(), from the index where it has the file as it
/// is; "" for a file that holds no point. Throws Error where one cannot be
/// read.
std::unordered_map<std::string, std::string>
packedPoints(const std::string &store);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_POINTINDEX_H
