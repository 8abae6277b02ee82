// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/chip/Chip.h"
using namespace mlir;
namespace neurite::chip {
LogicalResult ProgramImageOp::verifyRegions() { return success(); }
LogicalResult CoreOp::verifyRegions() { return success(); }
LogicalResult GroupOp::verify() { return success(); }
LogicalResult SynapsesOp::verify() { return success(); }
LogicalResult InAxonsOp::verify() { return success(); }
} // namespace neurite::chip
