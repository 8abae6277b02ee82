// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Freedoms of gauge: units of a state that a network's outputs do not show.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_GAUGE_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_GAUGE_H

#include "dialects/dend/Dend.h"

#include <optional>

namespace dendrolith {

/// A linear state x with x' = (...) x + gain u that is read only through
/// products read * x may be measured in other units: with x = gain x~,
///
///   x~' = (...) x~ + u,   read~ = read * gain,
///
/// all element by element, exact in reals. Where gain is 0 the element is dead:
/// it stays 0, so read~ = 0 leaves the result unchanged.
struct Gauge {
  mlir::Operation *op;
  mlir::Value state, next; ///< the state's old and new value
  mlir::Value gain;        ///< the parameter that goes
  mlir::OpOperand *read;   ///< where the parameter stands that takes it up
};

/// The freedom that an op leaves, none for ops without one. This is the one
/// place that knows them: a branch's input gain G goes into its read-out C. An
/// op whose freedom has this form joins by a case here and in dropGain(). (The
/// apical unit of DendriCL has one of another form: its key may be scaled by c,
/// with state / c and rate / c^2, which changes the weights into the key's
/// port.)
std::optional<Gauge> gaugeOf(mlir::Operation *op);

/// Takes the gain from the op.
void dropGain(const Gauge &gauge);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_GAUGE_H
