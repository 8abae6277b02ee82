// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Networks, clocks and constants.
#include "dialects/dend/Dend.h"

using namespace mlir;

namespace neurite::dend {

NetworkOp networkOf(Operation *op) {
  return op->getParentOfType<NetworkOp>();
}

ClockOp NetworkOp::getRootClock() {
  for (ClockOp clock : getBody().getOps<ClockOp>())
    if (!clock.getDividesAttr())
      return clock;
  return {};
}

} // namespace neurite::dend
