// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that say how many bits a quantiser may give: to the weights of a
// projection, the states of a population, the integers of a real-valued input.
// Each is an i64 from 1 on.

#ifndef DENDROLITH_DIALECTS_DEND_NUMBERATTRS_H
#define DENDROLITH_DIALECTS_DEND_NUMBERATTRS_H

#include "dialects/dend/Dend.h"
#include "llvm/ADT/StringRef.h"

namespace dendrolith::dend {

constexpr llvm::StringLiteral kWeightBits = "dend.weight_bits";
constexpr llvm::StringLiteral kStateBits = "dend.state_bits";
constexpr llvm::StringLiteral kInputBits = "dend.input_bits";

/// Places of the queue through which the events of a root clock come, one by
/// one.
constexpr llvm::StringLiteral kQueue = "dend.queue";

// Attributes by which a population says that its body counts some of its values
// in other units than the model's file does.

/// The names of a population's attributes for ports, states and outputs. Each
/// holds, by name, how many units of the body one unit of the model's file is.
/// A name that is missing counts in the file's units.
constexpr llvm::StringLiteral kPortUnits = "dend.port_units";
constexpr llvm::StringLiteral kStateUnits = "dend.state_units";
constexpr llvm::StringLiteral kOutputUnits = "dend.output_units";

/// How many units of the body one unit of a port, state or output is;
/// `attribute` is one of the three above.
double unitsOf(PopulationOp population, llvm::StringRef attribute,
               llvm::StringRef name);

/// Makes these units `factor` times as many.
void multiplyUnits(PopulationOp population, llvm::StringRef attribute,
                   llvm::StringRef name, double factor);

/// Copies what a population says of its units to one that is made from it.
void copyUnits(PopulationOp from, PopulationOp to);

/// Whether an attribute has the form of the three above.
bool areUnits(mlir::Attribute attribute);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_NUMBERATTRS_H
