// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neurons of an integer network that cannot emit, whatever the input.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_SPIKEBOUNDS_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_SPIKEBOUNDS_H

#include "dialects/dend/Dend.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith {

// Integer step bodies on intervals: what every value can be, if ports,
// parameters and states are in given intervals. Each op has its rule itself
// (BodyOpInterface: inferIntervals).

using dend::Interval;
using Intervals = llvm::DenseMap<mlir::Value, Interval>;

/// Adds the interval of every result in a body whose arguments have theirs. An
/// op that has no rule gives all that its type can hold; so does a sum that may
/// wrap.
void evaluateIntervals(mlir::Block &body, Intervals &values);

/// Gives by population the ids, ascending, of the neurons that are proved never
/// to emit; most populations have none. What a neuron can reach is computed
/// from below: a port is in the interval of its weights times all that sources
/// can send (nothing, for a neuron proved before) plus biases; states start at
/// their initial value and grow to what a further update can make of them,
/// until they stay as they are or, reset by a clock, that ticks. A neuron is
/// proved if no update in them emits. Sound, not complete. Populations that
/// compute reals have none.
mlir::FailureOr<std::map<std::string, std::vector<int64_t>>>
neverEmitting(dend::NetworkOp network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_SPIKEBOUNDS_H
