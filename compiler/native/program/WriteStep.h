// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of instructions that are one function: of the whole instruction, of
// an element of its result, or of that and the operands' elements.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_WRITESTEP_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_WRITESTEP_H

#include "compiler/native/code/WriteOp.h"
#include "compiler/native/program/StepOps.h"
#include "compiler/native/program/Visit.h"

namespace dendrolith::native::program {

template <MicroOp code, void (*write)(const Step &, Visit &)>
void writeStep(StepOp<code> op, Visit &v) {
  write(stepOf(op), v);
}
template <MicroOp code, void (*write)(const Step &, Visit &)>
using WriteStep = WriteOp<StepOp<code>, Visit, writeStep<code, write>>;

/// Writes the element of the loop, or all of them where there is none.
template <Lane (*compute)(const Step &, const At &, Visit &)>
void writeEach(const Step &step, Visit &v) {
  const uint32_t count = v.state.element ? 1 : step.code.n;
  // All operands are read first: a result may take the words of one.
  std::vector<Lane> results;
  for (uint32_t e = 0; e < count; ++e)
    results.push_back(compute(step, {e, v.state.element}, v));
  if (step.hasResult())
    for (uint32_t e = 0; e < count; ++e)
      v.put(step, {e, v.state.element}, results[e]);
}
template <MicroOp code, Lane (*compute)(const Step &, const At &, Visit &)>
using WriteEach = WriteStep<code, writeEach<compute>>;

template <Lane (*compute)(const Step &, const Lane *, Visit &)>
Lane ofOperands(const Step &step, const At &at, Visit &v) {
  const Lane operands[] = {v.element(step, 0, at), v.element(step, 1, at),
                           v.element(step, 2, at)};
  return compute(step, operands, v);
}
template <MicroOp code, Lane (*compute)(const Step &, const Lane *, Visit &)>
using WritePointwise = WriteEach<code, ofOperands<compute>>;

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_WRITESTEP_H
