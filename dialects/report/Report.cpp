// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/report/Report.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// TableGen names parameters that it does not use.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "dialects/report/ReportDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/report/ReportAttrs.cpp.inc"

namespace dendrolith::report {

void ReportDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/report/ReportAttrs.cpp.inc"
      >();
}

} // namespace dendrolith::report
