// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the patterns of a step body know of its code so far.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_BODYSTATE_H
#define DENDROLITH_COMPILER_NATIVE_BODY_BODYSTATE_H

#include "compiler/native/body/Places.h"

#include <array>
#include <vector>

namespace dendrolith::native::body {

struct BodyState {
  BodyState(dend::NeuronOp model, int64_t lanes) : places(model, lanes) {}

  Places places;
  /// Where the words of the neurons of one turn of the loop begin.
  std::array<mlir::Value, kSpaces> memories;
  mlir::Value neuron; ///< the first of them, as i64
  /// Words of values that lie in registers.
  llvm::DenseMap<mlir::Value, std::vector<mlir::Value>> registers;
};

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_BODYSTATE_H
