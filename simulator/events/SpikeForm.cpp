// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/SpikeForm.h"

#include "targets/loader/chip/Sections.h"

namespace dendrolith::sim {

SpikeForm spikeForm(const Machine::Group &group, uint32_t source) {
  SpikeForm form;
  if (!group.micro)
    return form;
  for (const MicroProgram::Output &output : group.micro->outputs()) {
    if (source >= output.source + output.elements * output.sourcesPerElement)
      continue;
    if (output.isUnary()) {
      form.counter = Counter::SpikesUnary;
    } else if (output.kind == image::Microprogram::Emission::GRADED) {
      form.counter = Counter::SpikesGraded;
      form.graded = true;
      form.payloadBits = payloadBits(output.low, output.high);
    }
    break;
  }
  return form;
}

} // namespace dendrolith::sim
