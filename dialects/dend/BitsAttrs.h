// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes by which a network says how many bits a quantiser may give to the
// weights of a projection, to the states of a population and to the integers
// that a real-valued input becomes: i64 from 1 on.

#ifndef DENDROLITH_DIALECTS_DEND_BITSATTRS_H
#define DENDROLITH_DIALECTS_DEND_BITSATTRS_H

#include "llvm/ADT/StringRef.h"

namespace dendrolith::dend {

constexpr llvm::StringLiteral kWeightBits = "dend.weight_bits";
constexpr llvm::StringLiteral kStateBits = "dend.state_bits";
constexpr llvm::StringLiteral kInputBits = "dend.input_bits";

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_BITSATTRS_H
