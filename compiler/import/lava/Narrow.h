// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of host inputs in front of neurons that are exact up to a bound.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_NARROW_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_NARROW_H

#include "compiler/import/lava/Plan.h"

#include <memory>

namespace dendrolith::lava {

/// A plan, and the inputs that it holds for.
struct NarrowPlan {
  Plan plan;
  /// In place of the model's own; it holds what a graph reads of its model but
  /// processes. Null: nothing was narrowed.
  std::unique_ptr<Model> model;
};

/// Plans a graph. Where a sum of host inputs may leave what ATRLIF's decay is
/// proved for, the inputs are taken to be smaller, as far as needed: every run
/// refuses values beyond an input's range by name, and a warning says which it
/// is. The graph then reads the model that is returned.
NarrowPlan planWithin(Graph &graph);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_NARROW_H
