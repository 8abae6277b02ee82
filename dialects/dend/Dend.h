// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dend dialect: everything a user of its types and operations includes.
#ifndef NEURITE_DIALECTS_DEND_DEND_H
#define NEURITE_DIALECTS_DEND_DEND_H

#include "dialects/dend/DendEnums.h"
#include "dialects/dend/Window.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// TableGen names parameters that it does not use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "dialects/dend/DendDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dend/DendTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dend/DendAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/dend/DendOps.h.inc"
#pragma GCC diagnostic pop

namespace neurite::dend {

/// Element type of a body value: of a tensor its elements', else the type.
mlir::Type elementType(mlir::Type type);
/// Number of elements of a body value: 1 for a scalar.
int64_t elementCount(mlir::Type type);
/// Shape of a body value: empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// The type with another element type and the same shape.
mlir::Type withElementType(mlir::Type type, mlir::Type element);
/// A float, or a tensor of floats (evaluated in double).
bool isReal(mlir::Type type);
/// A complex number, or a tensor of them (structure ops only).
bool isComplex(mlir::Type type);
/// The fixed-point type of the elements, null if they are not fixed point.
FxType fixedType(mlir::Type type);
/// True for i1, i32, floats, complex floats, fixed point, and static tensors
/// of them with at least one element.
bool isBodyType(mlir::Type type);

/// Spike types in their one canonical form. `unary` has range [-count, count].
SpikeType binarySpike(mlir::MLIRContext *context);
SpikeType unarySpike(mlir::MLIRContext *context, int64_t count);
SpikeType intSpike(mlir::MLIRContext *context, int64_t low, int64_t high);
SpikeType gradedSpike(mlir::MLIRContext *context);

/// The neuron model of a population.
NeuronOp modelOf(PopulationOp population);

/// The enclosing network of an operation of its body.
NetworkOp networkOf(mlir::Operation *op);

/// The window of a convolution whose weight has `shape` (Cout, Cin/groups, Kh,
/// Kw), or of a pooling, which has a weight for each tap too. The attribute's
/// lists must have their lengths (checked by the verifier of `dend.project`).
Window windowOf(ConvAttr conv, llvm::ArrayRef<int64_t> shape);
Window windowOf(PoolAttr pool);

} // namespace neurite::dend

#endif // NEURITE_DIALECTS_DEND_DEND_H
