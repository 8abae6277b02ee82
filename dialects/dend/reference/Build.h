// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a network ready to run, part by part. Each function reports what it
// refuses as a diagnostic on the op concerned.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_BUILD_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_BUILD_H

#include "dialects/dend/reference/BuiltNetwork.h"

namespace dendrolith::dend {

/// Looks up symbols and clocks of one network while it is being built.
struct Context {
  NetworkOp op;
  const Bindings &bindings;
  llvm::StringMap<int64_t> clocks; // ticks per root tick

  /// Ticks per root tick of a clock that `user` names.
  mlir::FailureOr<int64_t> ticks(mlir::Operation *user,
                                 llvm::StringRef clock) const;
  /// How many updates on `own` ticks pass from one tick of a clock to the next;
  /// 1 if that clock is the faster one.
  mlir::FailureOr<int64_t> every(mlir::Operation *user, int64_t own,
                                 llvm::StringRef clock) const;
  mlir::FailureOr<Tensor> constant(mlir::Operation *user,
                                   llvm::StringRef name) const;
};

/// Population with its parameters, states and ports; appends its outputs to
/// `sources`. `index` is its number.
mlir::FailureOr<Population> buildPopulation(PopulationOp op, unsigned index,
                                            const Context &context,
                                            std::vector<Source> &sources);

/// Host input; appends itself to `sources`.
mlir::FailureOr<Input> buildInput(InputOp op, const Context &context,
                                  std::vector<Source> &sources);

/// Timing of a projection, refused where neither clock divides the other.
mlir::FailureOr<Timing> buildTiming(ProjectOp op, int64_t sourceTicks,
                                    int64_t targetTicks);

/// Refuses an `ssf` whose bound scale is not positive.
mlir::LogicalResult checkScales(const Population &population);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_BUILD_H
