// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_DIALECTS_DEND_REFERENCE_SSF_H
#define NEURITE_DIALECTS_DEND_REFERENCE_SSF_H

#include "dialects/dend/reference/Evaluate.h"

namespace neurite::dend {

/// Refuses a fixed-point `ssf` whose exact comparison needs more than 126 bits.
mlir::LogicalResult checkSsf(SsfOp op);

} // namespace neurite::dend

#endif // NEURITE_DIALECTS_DEND_REFERENCE_SSF_H
