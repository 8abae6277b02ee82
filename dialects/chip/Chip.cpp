// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/chip/Chip.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"
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

FailureOr<Table> readTable(Operation *op, StringRef what, ElementsAttr value,
                           int64_t columns, unsigned bits) {
  ShapedType type = value.getShapedType();
  bool fits = type.hasStaticShape() &&
              type.getElementType().isSignlessInteger(bits) &&
              type.getRank() == (columns ? 2 : 1) &&
              (!columns || type.getDimSize(1) == columns) &&
              type.getDimSize(0) <= INT32_MAX;
  if (!fits) {
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << what << " has type " << type
                                    << ", expected tensor<n x ";
    if (columns)
      diagnostic << columns << " x ";
    return diagnostic << "i" << bits << ">";
  }
  Table table;
  table.rows = type.getDimSize(0);
  table.columns = columns ? columns : 1;
  table.size = bits / 8;
  uint64_t bytes = uint64_t(table.rows) * table.columns * table.size;
  if (auto dense = llvm::dyn_cast<DenseElementsAttr>(value)) {
    table.bytes = dense.getRawData();
    table.splat = dense.isSplat();
    return table;
  }
  auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return op->emitOpError()
           << what << " needs dense or dense_resource elements";
  if (const AsmResourceBlob *blob = resource.getRawHandle().getBlob())
    table.bytes = blob->getData();
  if (table.bytes.size() != bytes)
    return op->emitOpError()
           << what << " refers to resource '"
           << resource.getRawHandle().getKey() << "' of " << table.bytes.size()
           << " bytes, expected " << bytes << " for " << type;
  return table;
}

LogicalResult checkAxons(Operation *op, ElementsAttr begin, ElementsAttr rows,
                         int64_t sources) {
  FailureOr<Table> starts = readTable(op, "axon_begin", begin, 0, 32);
  FailureOr<Table> entries = readTable(op, "axon_rows", rows, 2, 32);
  if (failed(starts) || failed(entries))
    return failure();
  if (starts->rows != sources + 1)
    return op->emitOpError()
           << "axon_begin has " << starts->rows << " entries for " << sources
           << " sources, expected " << sources + 1;
  if (starts->at(0) != 0 || starts->at(sources) != entries->rows)
    return op->emitOpError()
           << "axon_begin runs from " << starts->at(0) << " to "
           << starts->at(sources) << ", expected 0 to the " << entries->rows
           << " axon rows";
  for (int64_t i = 0; i < sources; ++i)
    if (starts->at(i) > starts->at(i + 1))
      return op->emitOpError() << "axon_begin falls at source " << i;
  for (int64_t i = 0; i < entries->rows; ++i)
    if (entries->at(i, 0) < 0 || entries->at(i, 1) < 0)
      return op->emitOpError() << "axon row " << i << " is ("
                               << entries->at(i, 0) << ", " << entries->at(i, 1)
                               << "), expected a core and an axon of 0 or more";
  return success();
}

} // namespace dendrolith::chip
