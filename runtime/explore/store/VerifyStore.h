// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at everything in a store that could be wrong.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_VERIFYSTORE_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_VERIFYSTORE_H

#include "runtime/explore/store/Store.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

struct Verified {
  uint64_t points = 0;  ///< that are right
  uint64_t missing = 0; ///< designs that `where` admits, without a point
  /// Each begins with a path: files that are corrupt, half-written, of another
  /// study or of nothing, and an index that disagrees with them.
  std::vector<std::string> problems;
};
Verified verify(const Store &store);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_VERIFYSTORE_H
