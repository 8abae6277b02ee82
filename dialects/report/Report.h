// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report dialect: rows of the compiler's reports as attributes.

#ifndef DENDROLITH_DIALECTS_REPORT_REPORT_H
#define DENDROLITH_DIALECTS_REPORT_REPORT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace dendrolith::report {

// What the classes that TableGen makes of Row.td call.

/// Sets a number of a protobuf message, whatever integer type the field has.
template <typename Message, typename Number>
void assign(Message &message, void (Message::*setter)(Number), int64_t value) {
  (message.*setter)(static_cast<Number>(value));
}

/// An f64 attribute, null for zero.
inline mlir::FloatAttr real(mlir::MLIRContext *context, double value) {
  return value == 0 ? mlir::FloatAttr()
                    : mlir::Builder(context).getF64FloatAttr(value);
}

/// Parses `[<...>, <...>]`, rows of one kind without their name.
template <typename RowAttr>
mlir::FailureOr<llvm::SmallVector<RowAttr>> parseRows(mlir::AsmParser &parser) {
  llvm::SmallVector<RowAttr> rows;
  auto parseRow = [&]() -> mlir::ParseResult {
    auto row = mlir::dyn_cast_or_null<RowAttr>(RowAttr::parse(parser, {}));
    if (!row)
      return mlir::failure();
    rows.push_back(row);
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseRow))
    return mlir::failure();
  return rows;
}

template <typename RowAttr>
void printRows(mlir::AsmPrinter &printer, llvm::ArrayRef<RowAttr> rows) {
  printer << '[';
  llvm::interleaveComma(rows, printer,
                        [&](RowAttr row) { row.print(printer); });
  printer << ']';
}

/// The attributes of `rows`, each made of its fields.
template <typename RowAttr>
mlir::ArrayAttr rowsOf(mlir::MLIRContext *context,
                       const std::vector<typename RowAttr::Fields> &rows) {
  llvm::SmallVector<mlir::Attribute> all;
  for (const auto &fields : rows)
    all.push_back(RowAttr::of(context, fields));
  return mlir::ArrayAttr::get(context, all);
}

/// `rows` and one more; `rows` may be null.
inline mlir::ArrayAttr appended(mlir::ArrayAttr rows, mlir::Attribute row) {
  llvm::SmallVector<mlir::Attribute> all;
  if (rows)
    all.assign(rows.begin(), rows.end());
  all.push_back(row);
  return mlir::ArrayAttr::get(row.getContext(), all);
}

} // namespace dendrolith::report

// TableGen names parameters that it does not use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "dialects/report/ReportDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/report/ReportAttrs.h.inc"
#pragma GCC diagnostic pop

#endif // DENDROLITH_DIALECTS_REPORT_REPORT_H
