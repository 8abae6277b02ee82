// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short forms of what stands around neuron models. What is printed is the long
// form.
#ifndef DENDROLITH_DIALECTS_DEND_NETWORKSYNTAX_H
#define DENDROLITH_DIALECTS_DEND_NETWORKSYNTAX_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/OpImplementation.h"

namespace dendrolith::dend {

/// `!dend.spike<int, -4, 4>` or `int<-4, 4>`.
mlir::ParseResult parseSpike(mlir::OpAsmParser &parser, SpikeType &type);

/// `: tensor<2xf64> = dense<...> : tensor<2xf64>`, or a number or lists of
/// them, which are of f64 where no type is given: `= [0.5, 0.75]`.
mlir::ParseResult parseConstantValue(mlir::OpAsmParser &parser,
                                     mlir::TypeAttr &type,
                                     mlir::ElementsAttr &value);
void printConstantValue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::TypeAttr type, mlir::ElementsAttr value);

/// `on @step : tensor<4xf64> as !dend.spike<graded>` or `[4] on @step`.
mlir::ParseResult parseInputType(mlir::OpAsmParser &parser,
                                 mlir::FlatSymbolRefAttr &clock,
                                 mlir::TypeAttr &type, mlir::TypeAttr &spike);
void printInputType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::FlatSymbolRefAttr clock, mlir::TypeAttr type,
                    mlir::TypeAttr spike);

/// Dense where it is left out.
mlir::ParseResult parseSynapseKind(mlir::OpAsmParser &parser,
                                   mlir::Attribute &kind);
void printSynapseKind(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::Attribute kind);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_NETWORKSYNTAX_H
