// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This header is all that a user of the dend dialect's types and operations
// includes.
#ifndef DENDROLITH_DIALECTS_DEND_DEND_H
#define DENDROLITH_DIALECTS_DEND_DEND_H

#include "dialects/DeclaredAttributes.h"
#include "dialects/dend/BodyTraits.h"
#include "dialects/dend/DendEnums.h"
#include "dialects/dend/Interval.h"
#include "dialects/dend/Window.h"
#include "dialects/report/Report.h"

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

namespace dendrolith::dend {
/// Values that share one fixed-point format (BodyOpInterface).
using FormatGroup = llvm::SmallVector<mlir::Value>;

/// The element type of a body value, which is the type itself of a scalar.
mlir::Type elementType(mlir::Type type);

/// Whether it is `array<f64: low, high>`.
bool isRange(mlir::Attribute attr);
/// Whether it is a fixed-point type.
bool isFormat(mlir::Attribute attr);
/// Whether every value of a dictionary satisfies the predicate.
bool allValues(mlir::Attribute dictionary, bool (*holds)(mlir::Attribute));
} // namespace dendrolith::dend

// TableGen names parameters that it does not use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "dialects/dend/BodyOpInterface.h.inc"
#include "dialects/dend/DendDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/dend/DendTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dend/DendAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/dend/DendOps.h.inc"
#pragma GCC diagnostic pop

namespace dendrolith::dend {

/// The number of elements of a body value, which is 1 for a scalar.
int64_t elementCount(mlir::Type type);
/// The shape of a body value, which is empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// The type with another element type and the same shape.
mlir::Type withElementType(mlir::Type type, mlir::Type element);
/// Whether the type is a float or a tensor of floats (evaluated in double).
bool isReal(mlir::Type type);
/// Whether the type is a complex number or a tensor of them.
bool isComplex(mlir::Type type);
/// The fixed-point type of the elements, or null if they are not fixed point.
FxType fixedType(mlir::Type type);
/// Whether the type is i1, i32, a float, a complex float or fixed point, or a
/// static tensor of one of them with at least one element.
bool isBodyType(mlir::Type type);

/// Each spike type in its one canonical form. `unary` has range [-count,
/// count].
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

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_DEND_H
