// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a worker measures with. Measurer is one; a test has a faster one.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_METER_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_METER_H

#include "runtime/explore/stages/Measure.h"

#include <functional>
#include <string>

namespace dendrolith::explore {

struct Meter {
  /// Designs of one text share what is expensive.
  std::function<std::string(const Design &)> groupOf;
  std::function<Measured(const Design &)> measure;
};

/// Each process makes its own, after it was forked.
using MakeMeter = std::function<Meter()>;

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_METER_H
