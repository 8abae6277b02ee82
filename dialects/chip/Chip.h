// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
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

#include <cstring>

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

namespace dendrolith::chip {

// Integer tables of the exit dialect, read in place.

/// A dense or dense_resource tensor of i16 or i32, rows x columns.
struct Table {
  llvm::ArrayRef<char> bytes;
  int64_t rows = 0, columns = 1;
  unsigned size = 4; // bytes of an element
  bool splat = false;

  int64_t at(int64_t row, int64_t column = 0) const {
    int64_t i = splat ? 0 : row * columns + column;
    if (size == 2) {
      int16_t x;
      std::memcpy(&x, bytes.data() + 2 * i, 2);
      return x;
    }
    int32_t x;
    std::memcpy(&x, bytes.data() + 4 * i, 4);
    return x;
  }
};

/// The table `value` of `op`: tensor<rows x columns x iN>, a vector if
/// `columns` is 0. Errors on `op` for another type and for a resource that is
/// missing or has another size.
mlir::FailureOr<Table> readTable(mlir::Operation *op, llvm::StringRef what,
                                 mlir::ElementsAttr value, int64_t columns,
                                 unsigned bits);

/// `begin` and `rows` of an axon table of `sources` sources: begin ascends
/// from 0 to the number of rows, rows are (core, axon).
mlir::LogicalResult checkAxons(mlir::Operation *op, mlir::ElementsAttr begin,
                               mlir::ElementsAttr rows, int64_t sources);

} // namespace dendrolith::chip

#endif // DENDROLITH_DIALECTS_CHIP_CHIP_H
