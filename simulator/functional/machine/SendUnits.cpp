// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that leave unit by unit: what is sent in the steps between visits.

#include "simulator/functional/machine/MicroSender.h"
#include "simulator/functional/machine/MicroStep.h"

namespace dendrolith::sim {

void sendUnits(State &state, uint32_t groupIndex, GroupUpdate &update) {
  const Machine::Group &group = state.machine.groups()[groupIndex];
  update.clear();
  MicroSender sender(state, group, update);
  const std::vector<MicroProgram::Output> &outputs = group.micro->outputs();
  update.bits.assign(group.micro->row(), 0);
  collectStates(state, group, update.bits);
  for (uint32_t n = 0; n < group.count; ++n) {
    bool any = update.bits[n] != 0;
    update.active += any;
    for (uint32_t o = 0; o < outputs.size(); ++o) {
      if (!outputs[o].isUnary())
        continue;
      for (uint32_t e = 0; e < outputs[o].elements; ++e) {
        int64_t &left = state.left[sender.leftAt(outputs[o], n, e)];
        if (left == 0)
          continue;
        update.active += !any;
        any = true;
        int64_t unit = left > 0 ? 1 : -1;
        left -= unit;
        Emission message = unitOf(outputs[o], n, e, unit);
        message.active = static_cast<uint32_t>(update.active);
        update.emissions.push_back(message);
        sender.toHost(o, n, e, unit, update.active);
      }
    }
  }
  update.inactive = group.count - update.active;
}

} // namespace dendrolith::sim
