// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_SSF_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_SSF_H

#include "dialects/dend/reference/Evaluate.h"

namespace dendrolith::dend {

/// Refuses a fixed-point `ssf` whose exact comparison needs more than 126 bits.
mlir::LogicalResult checkSsf(SsfOp op);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_SSF_H
