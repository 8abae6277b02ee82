// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one real number, for all who must have the same bits.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_FUNCTIONS_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_FUNCTIONS_H

#include "dialects/dend/Dend.h"

namespace dendrolith::dend {

double apply(Function function, double x);

/// Slope of leaky_relu for negative arguments, the usual default of training.
constexpr double kLeak = 0.01;

/// Puts apply(function, x) in place of each of `count` numbers.
using FunctionInPlace = void (*)(double *numbers, int64_t count);
FunctionInPlace inPlace(Function function);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_FUNCTIONS_H
