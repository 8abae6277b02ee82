// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A design measured: quantised, mapped, run and priced, each stage only where
// it was not done before.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_MEASURE_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_MEASURE_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/stages/Programs.h"
#include "runtime/explore/stages/Runs.h"
#include "runtime/explore/study/Study.h"

#include <memory>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct Measured {
  Point point;
  Effort effort;
};

/// One process measures with one of these, one design after the other.
class Measurer {
public:
  /// `folder` is where stages are kept for others, by the hash of what they
  /// depend on; it is made where it is not there. Throws Error.
  Measurer(const Study &study, std::string folder);
  ~Measurer();

  /// The SHA-256 of all that the point depends on: contents of files, the chip
  /// with its changes, options, engine, and the version of results. Throws
  /// Error for a design whose files cannot be read.
  std::string keyOf(const Design &design);
  SharedStages sharedStagesOf(const Design &design);

  /// A design that does not fit or contradicts itself is a point that says so.
  /// Throws Error only where nothing could be measured at all: a full disk, a
  /// model that cannot be read.
  Measured measure(const Design &design);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

// The stage `price`, and what a point says of all stages.

/// Fills a point that is done. `tables` are one cost table or the two ends of a
/// band; the timing set is the one that the chip ran with.
void fill(Point &point, const Mapped &mapped, const Executed &executed,
          const Target &chip, const TimingSet &timing,
          const std::vector<CostTable> &tables);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_MEASURE_H
