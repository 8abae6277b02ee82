// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NEURITE_DIALECTS_DEND_DENDENUMS_H
#define NEURITE_DIALECTS_DEND_DENDENUMS_H

#include "mlir/IR/OpImplementation.h"

#include "dialects/dend/DendEnums.h.inc"

#endif // NEURITE_DIALECTS_DEND_DENDENUMS_H
