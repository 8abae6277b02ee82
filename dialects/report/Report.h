// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report dialect: rows of the compiler's reports as attributes.
#ifndef DENDROLITH_DIALECTS_REPORT_REPORT_H
#define DENDROLITH_DIALECTS_REPORT_REPORT_H

#include "dialects/report/Row.h"

#include "mlir/IR/Dialect.h"

// TableGen names parameters that it does not use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "dialects/report/ReportDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/report/ReportAttrs.h.inc"
#pragma GCC diagnostic pop

#endif // DENDROLITH_DIALECTS_REPORT_REPORT_H
