// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// TableGen names parameters that it does not use.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "dialects/dend/DendDialect.cpp.inc"
#include "dialects/dend/DendEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dend/DendTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dend/DendAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/dend/DendOps.cpp.inc"

namespace neurite::dend {

void DendDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/dend/DendTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dend/DendAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dend/DendOps.cpp.inc"
      >();
}

} // namespace neurite::dend
