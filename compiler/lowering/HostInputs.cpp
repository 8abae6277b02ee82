// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/HostInputs.h"

#include "compiler/transforms/network/Refusal.h"

using namespace mlir;

namespace dendrolith {

// The largest value that a host sends as unit spikes: one of 8 bits.
static constexpr int64_t kMostUnits = 255;

bool leavesInUnits(dend::InputOp input, const Target &chip) {
  auto spike = cast<dend::SpikeType>(input.getSpike());
  return spike.getKind() == dend::SpikeKind::Int &&
         !hostSends(chip.host, spike.getLow(), spike.getHigh());
}

bool isSplit(dend::InputOp input, const Target &chip) {
  return leavesInUnits(input, chip) &&
         cast<dend::SpikeType>(input.getSpike()).getLow() < 0;
}

LogicalResult checkHost(dend::InputOp input, const Target &chip) {
  if (!leavesInUnits(input, chip))
    return success();
  auto spike = cast<dend::SpikeType>(input.getSpike());
  const int64_t low = spike.getLow(), high = spike.getHigh();
  if (low >= -kMostUnits && high <= kMostUnits)
    return success();
  std::string payload =
      chip.host.payloadBits == 0
          ? "no payloads"
          : "payloads of " + std::to_string(chip.host.payloadBits) + " bits" +
                (chip.host.sign ? ", signed" : " without sign");
  return dendrolith::refuse(
      input.emitError(),
      "input '@" + input.getSymName() + "' is " + Twine(low) + " to " +
          Twine(high) + ", but the host of target '" + chip.name + "' sends " +
          payload +
          " and unit spikes only for magnitudes up "
          "to " +
          Twine(kMostUnits),
      "use fewer --input-bits, or choose a target whose host sends "
      "payloads, such as loihi2");
}

} // namespace dendrolith
