// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of a projection as mantissas of the target.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISESYNAPSES_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISESYNAPSES_H

#include "compiler/transforms/quantise/LayerScale.h"

#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"

#include <string>
#include <vector>

namespace dendrolith {

/// Makes constants of integers in front of an op of a network.
class ConstantMaker {
public:
  explicit ConstantMaker(mlir::Operation *before);

  /// `bits` of storage; the name may get a number behind it.
  mlir::FlatSymbolRefAttr make(const std::string &wanted,
                               llvm::ArrayRef<int64_t> shape, unsigned bits,
                               const std::vector<int64_t> &values);

private:
  dend::NetworkOp network;
  mlir::OpBuilder builder;
};

/// Puts round(weight / step), clipped to the target's mantissas or the narrower
/// ones of `real`, in place of a projection's real weights; `step` is what 1 <<
/// shift is worth, of `unit`. Returns the row of the report.
report::QuantRowAttr writeMantissas(dend::ProjectOp project,
                                    const ProjectionWeights &real, double step,
                                    int shift, const NumberFormats &formats,
                                    llvm::StringRef unit);

/// What payload 1 of a projection's source is worth, and the largest payload.
struct Payload {
  double unit = 1, largest = 1;
};

/// Inputs must have their integer spike types. Fails with a diagnostic on a
/// source that emits real numbers.
mlir::FailureOr<Payload> payloadOf(dend::ProjectOp project);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISESYNAPSES_H
