// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cores and the host send in a step that is replayed, each one message
// after the other.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_SENDSTREAMS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_SENDSTREAMS_H

#include "compiler/mapping/objective/ReplayStep.h"

#include <cstddef>

namespace dendrolith {

/// The stream of one endpoint: an update engine that works, hands a message
/// over, and waits until it is taken.
class SendStream {
public:
  struct Message {
    uint32_t to = 0; ///< endpoint
    uint64_t service = 0;
  };

  /// `now` is when the engine goes on. The time at which it has done the work
  /// before its next message, or all that is left if there is none.
  double nextAt(double now) const {
    if (done())
      return now + tail;
    const bool begins = message == (burst ? bursts[burst - 1].end : 0);
    return begins ? now + bursts[burst].work : now;
  }
  bool done() const { return message == messages.size(); }
  /// The next message, which is taken with this.
  Message take() {
    const Message &next = messages[message++];
    burst += message == bursts[burst].end;
    return next;
  }

private:
  friend std::vector<SendStream> streamsOf(const ReplayStep &step,
                                           const std::vector<uint32_t> &slices,
                                           const std::vector<uint32_t> &hosts,
                                           uint32_t endpoints);
  struct Burst {
    double work = 0;
    size_t end = 0;
  };

  std::vector<Burst> bursts;
  std::vector<Message> messages;
  double tail = 0; // ps of work after the last burst
  size_t burst = 0, message = 0;
};

/// The streams of all endpoints. `slices` has the endpoint of each slice, and
/// `hosts` that of the host that it exchanges messages with. Slices of a core
/// work one after the other; messages of a source go by core, and each host
/// sends those to its own.
std::vector<SendStream> streamsOf(const ReplayStep &step,
                                  const std::vector<uint32_t> &slices,
                                  const std::vector<uint32_t> &hosts,
                                  uint32_t endpoints);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_SENDSTREAMS_H
