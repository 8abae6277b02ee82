// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the spikes of a population leave on a target: in one message, or as unit
// spikes over several steps.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_EMISSIONFORM_H
#define DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_EMISSIONFORM_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

#include <vector>

namespace dendrolith {

/// How integers travel: as asked for, or as the target can.
enum class SpikeForm { Auto, Graded, Unary };

struct EmissionForm {
  dend::EmissionKind kind = dend::EmissionKind::Binary;
  int64_t steps = 1; // over which one value leaves
};

/// By output of the population's model. Binary spikes stay binary. Integers are
/// graded where the target's payload holds them, else unary: |value| unit
/// spikes, with a sign where spikes carry one, else over two axons (split); or
/// as `wanted` says. Fails with a diagnostic on a range that the form does not
/// hold, and on several steps for one value where groups cannot be gated.
mlir::FailureOr<std::vector<EmissionForm>>
chooseEmissions(dend::PopulationOp population, const Target &chip,
                SpikeForm wanted);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_EMISSIONFORM_H
