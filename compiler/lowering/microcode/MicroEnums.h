// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's enums as those of instructions, whose numbers images store. The
// two are declared apart, so each pair is compared here while compiling.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_MICROENUMS_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_MICROENUMS_H

#include "dialects/dend/DendEnums.h"
#include "runtime/microcode/Isa.h"

namespace dendrolith {

constexpr micro::Rounding toMicro(dend::Rounding rounding) {
  return static_cast<micro::Rounding>(rounding);
}
static_assert(
    toMicro(dend::Rounding::Floor) == micro::Rounding::Floor &&
    toMicro(dend::Rounding::TowardZero) == micro::Rounding::TowardZero &&
    toMicro(dend::Rounding::NearestEven) == micro::Rounding::NearestEven &&
    toMicro(dend::Rounding::NearestUp) == micro::Rounding::NearestUp &&
    dend::getMaxEnumValForRounding() ==
        static_cast<unsigned>(micro::Rounding::NearestUp));

constexpr micro::Predicate toMicro(dend::Predicate predicate) {
  return static_cast<micro::Predicate>(predicate);
}
static_assert(toMicro(dend::Predicate::EQ) == micro::Predicate::EQ &&
              toMicro(dend::Predicate::NE) == micro::Predicate::NE &&
              toMicro(dend::Predicate::LT) == micro::Predicate::LT &&
              toMicro(dend::Predicate::LE) == micro::Predicate::LE &&
              toMicro(dend::Predicate::GT) == micro::Predicate::GT &&
              toMicro(dend::Predicate::GE) == micro::Predicate::GE &&
              dend::getMaxEnumValForPredicate() ==
                  static_cast<unsigned>(micro::Predicate::GE));

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_MICROENUMS_H
