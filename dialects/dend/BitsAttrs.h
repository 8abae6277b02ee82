// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that say how many bits a quantiser may give: to the weights of a
// projection, the states of a population, the integers of a real-valued input.
// Each is an i64 from 1 on.

#ifndef DENDROLITH_DIALECTS_DEND_BITSATTRS_H
#define DENDROLITH_DIALECTS_DEND_BITSATTRS_H

#include "llvm/ADT/StringRef.h"

namespace dendrolith::dend {

constexpr llvm::StringLiteral kWeightBits = "dend.weight_bits";
constexpr llvm::StringLiteral kStateBits = "dend.state_bits";
constexpr llvm::StringLiteral kInputBits = "dend.input_bits";

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_BITSATTRS_H
