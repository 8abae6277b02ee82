// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core's receive engine: one server behind the queue that the router fills.
// Nothing later can change when a message that has arrived will be served, so
// its end is computed when it arrives and no event is spent on it.

#ifndef DENDROLITH_SIMULATOR_TIMING_MESSAGES_RECEIVER_H
#define DENDROLITH_SIMULATOR_TIMING_MESSAGES_RECEIVER_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/chip/Timing.h"
#include "targets/support/Time.h"

#include <algorithm>
#include <cstdint>

namespace dendrolith::sim {

class Receiver {
public:
  /// How long the service of a message to that in-axon takes: message_in, then
  /// the words of its list and its entries, the first of which may take longer.
  static uint64_t duration(const TimingSet &timing, const Axon &axon) {
    auto ofKind = [&](const TimingSet::PerSynapse &of) {
      return axon.uniform && of.uniform      ? *of.uniform
             : axon.kind == ListKind::Dense  ? of.dense
             : axon.kind == ListKind::Sparse ? of.sparse
                                             : of.conv;
    };
    uint64_t entries = times(axon.count, ofKind(timing.perSynapse));
    if (axon.count)
      entries = plus(entries, ofKind(timing.firstEntry));
    return plus(timing.messageIn,
                plus(times(axon.words, timing.perWord), entries));
  }

  /// A flit arrives at `time`. Returns when it leaves the queue: after
  /// `service` ps at the head of it (0 for all but the last of a message).
  uint64_t arrive(uint64_t time, uint64_t service) {
    busyUntil = plus(std::max(time, busyUntil), service);
    return busyUntil;
  }

private:
  uint64_t busyUntil = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_MESSAGES_RECEIVER_H
