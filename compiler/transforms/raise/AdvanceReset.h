// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States and thresholds by their forms, and resets that come a step late.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_ADVANCERESET_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_ADVANCERESET_H

#include "compiler/transforms/raise/BodyForms.h"

namespace dendrolith {

/// A state, and its next value as a form.
struct RaisedState {
  unsigned index; ///< among the model's states
  unsigned atom;
  AffineForm next;
  mlir::Value potential; ///< its compartment, null where there is none
};

/// The form of each value that the yield names; none where it has none.
struct YieldForms {
  std::vector<RaisedState> states; ///< those of f64
  std::vector<std::optional<AffineForm>> all;
};

/// The threshold that `form` exceeds where the condition holds; none where the
/// condition does not read the atom as `form` does.
std::optional<AffineForm>
thresholdOn(const AffineForm &form, const Condition &condition, unsigned atom);

/// A state that is reset at the head of the step after its spike is measured
/// behind its reset from now on: its form becomes that of a reset at once.
/// Nothing else may read it, and no output probe it. Whether there was one.
bool advanceResets(const BoundModel &model, BodyForms &forms,
                   YieldForms &yields);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_ADVANCERESET_H
