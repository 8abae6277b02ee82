// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step message by message. Where receivers are slower than senders, queues
// fill up, first messages block those behind them, and engines stall: no sum of
// loads says how long that takes.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H

#include "compiler/mapping/objective/StepRecorder.h"

#include "targets/loader/Target.h"
#include "targets/loader/chip/Chip.h"
#include "targets/mesh/Flit.h"
#include "targets/support/Span.h"

#include <cstddef>
#include <memory>

namespace dendrolith {

class SpareThreads;

/// When the last core has updated, the last message has arrived and the last
/// one is served, in ps from the step's opening.
struct StepEnd {
  double updated = 0, arrived = 0, served = 0;
  /// Index in the cores in use of the one that is done last; the first of
  /// several.
  uint32_t core = 0;
};

/// Sends messages, each of which is one flit, over the mesh that the cycle
/// engine simulates (targets/mesh/FlitMesh.h). On a chip with multicast, what a
/// source sends to cores at once is one message.
class Replay {
public:
  /// `cores` says on which core each slice lies. Target and timing outlive
  /// this.
  Replay(const std::vector<uint32_t> &cores, const Target &target,
         const TimingSet &timing);
  ~Replay();

  /// A step begins with an empty mesh, whatever ran before it.
  StepEnd run(const ReplayStep &step);

private:
  class Chip;
  std::unique_ptr<Chip> chip;
};

/// How each of the steps ends, of the first `most` of them: those that are
/// alike are replayed once, and none depends on another one. The arguments are
/// those of Replay. `threads` may be null: then steps are replayed one after
/// the other, which StepRecorderTest holds the same.
std::vector<StepEnd> replayAll(const std::vector<ReplayStep> &steps,
                               size_t most, const std::vector<uint32_t> &cores,
                               const Target &target, const TimingSet &timing,
                               SpareThreads *threads);

// What the cores and the host send in a step that is replayed, each one message
// after the other.

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

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAY_H
