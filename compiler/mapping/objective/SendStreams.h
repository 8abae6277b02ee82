// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cores and the host send in a step that is replayed, each one message
// after the other.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_SENDSTREAMS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_SENDSTREAMS_H

#include "compiler/mapping/objective/StepRecorder.h"

#include "targets/loader/chip/Chip.h"
#include "targets/mesh/Flit.h"
#include "targets/support/Span.h"

#include <cstddef>

namespace dendrolith {

/// The stream of one endpoint: an update engine that works, hands a message
/// over, and waits until it is taken.
class SendStream {
public:
  /// `now` is when the engine goes on. The time at which it has done the work
  /// before its next message, or all that is left if there is none.
  double nextAt(double now) const {
    if (done())
      return now + tail;
    const bool begins = message == (burst ? bursts[burst - 1].end : 0);
    return begins ? now + bursts[burst].work : now;
  }
  bool done() const { return message == messages.size(); }
  /// Where the next message goes, which is taken with this: to one endpoint, or
  /// to several of them.
  Span<Destination> take() {
    const Burst &next = bursts[burst];
    const size_t first = message;
    message = next.together ? next.end : first + 1;
    burst += message == next.end;
    return {messages.data() + first, messages.data() + message};
  }

private:
  friend void readStreams(const ReplayStep &step,
                          const std::vector<uint32_t> &slices,
                          const std::vector<TileXY> &places,
                          std::vector<SendStream> &streams);
  struct Burst {
    double work = 0;
    size_t end = 0;
    bool together = false; // one message to several endpoints
  };

  std::vector<Burst> bursts;
  /// Destination::message is how long it is served there, in ps.
  std::vector<Destination> messages;
  double tail = 0; // ps of work after the last burst
  size_t burst = 0, message = 0;
};

/// Fills the streams of all endpoints, the last of which is the host. `slices`
/// has the endpoint of each slice. Slices of a core work one after the other;
/// messages of a source go by core. On a chip with multicast `places` says
/// where each endpoint is; else it is empty.
void readStreams(const ReplayStep &step, const std::vector<uint32_t> &slices,
                 const std::vector<TileXY> &places,
                 std::vector<SendStream> &streams);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_SENDSTREAMS_H
