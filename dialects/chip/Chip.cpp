// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/chip/Chip.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// TableGen names parameters that it does not use.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "dialects/chip/ChipDialect.cpp.inc"
#include "dialects/chip/ChipEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/chip/ChipAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/chip/ChipOps.cpp.inc"

namespace dendrolith::chip {

void ChipDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/chip/ChipAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/chip/ChipOps.cpp.inc"
      >();
}

} // namespace dendrolith::chip
