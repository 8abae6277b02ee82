// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_DIALECTS_DEND_DENDENUMS_H
#define DENDROLITH_DIALECTS_DEND_DENDENUMS_H

#include "mlir/IR/OpImplementation.h"

#include "dialects/dend/DendEnums.h.inc"

#endif // DENDROLITH_DIALECTS_DEND_DENDENUMS_H
