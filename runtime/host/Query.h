// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks of tokens that end with a query: its flag is checked, its label hidden.

#ifndef DENDROLITH_RUNTIME_HOST_QUERY_H
#define DENDROLITH_RUNTIME_HOST_QUERY_H

#include "runtime/host/Signals.h"

#include <cstdint>
#include <optional>
#include <string>

namespace dendrolith {

/// Elements of a step.
struct Query {
  uint64_t flag = 0;             ///< 1 at the last step of a sample, 0 before
  std::optional<uint64_t> label; ///< not to be seen there
};

/// Sets the label at the query to 0, as the input of the network has it, and
/// returns in how many samples it was something else. Throws Error that begins
/// with `where` and names the sample when its flag is not 1 at its last step
/// and 0 at all others.
uint64_t maskQueries(Samples &samples, const Query &query,
                     const std::string &where);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_QUERY_H
