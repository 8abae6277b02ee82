// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the emissions of each source go on a mesh with multicast, in the order
// in which routers tell destinations apart.

#ifndef DENDROLITH_SIMULATOR_TIMING_MESSAGES_DESTINATIONSETS_H
#define DENDROLITH_SIMULATOR_TIMING_MESSAGES_DESTINATIONSETS_H

#include "simulator/functional/machine/Machine.h"
#include "simulator/timing/messages/ServiceTimes.h"
#include "targets/loader/Target.h"
#include "targets/mesh/Flit.h"

#include <vector>

namespace dendrolith::sim {

/// One destination for each message of Machine::messages(), so that a core gets
/// as many copies as the source has in-axons there.
class DestinationSets {
public:
  /// A destination's `message` is the time that serving it takes, or, without
  /// `services`, the in-axon.
  DestinationSets(const Machine &machine, const Target &target,
                  const ServiceTimes *services);

  /// The destinations of all messages of one source: sorted by x, then by y,
  /// those of a tile in out-axon order.
  Span<Destination> of(Span<Machine::Message> messages) const {
    const Destination *begin = all.data() + (messages.first - first);
    return {begin, begin + messages.size()};
  }

private:
  const Machine::Message *first;
  std::vector<Destination> all; // source by source
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_MESSAGES_DESTINATIONSETS_H
