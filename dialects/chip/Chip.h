// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chip dialect: the tables of a program image as operations.
#ifndef DENDROLITH_DIALECTS_CHIP_CHIP_H
#define DENDROLITH_DIALECTS_CHIP_CHIP_H

#include "dialects/DeclaredAttributes.h"
#include "dialects/report/Report.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

// TableGen names parameters that it does not use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "dialects/chip/ChipDialect.h.inc"
#include "dialects/chip/ChipEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/chip/ChipAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/chip/ChipOps.h.inc"
#pragma GCC diagnostic pop

#endif // DENDROLITH_DIALECTS_CHIP_CHIP_H
