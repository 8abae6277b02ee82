// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/LastUse.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace dendrolith::dend {

static constexpr const char *kLastUse = "dendrolith.last_use";

void markLastUse(Operation *op) {
  op->setAttr(kLastUse, UnitAttr::get(op->getContext()));
}

bool isLastUse(Operation *op) { return op->hasAttr(kLastUse); }

void releaseElements(Attribute elements) {
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(elements))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      *blob = AsmResourceBlob();
}

void releaseAttributes(Operation *op) {
  // Properties of an op are not among its attributes otherwise.
  for (NamedAttribute named : op->getAttrs())
    releaseElements(named.getValue());
}

} // namespace dendrolith::dend
