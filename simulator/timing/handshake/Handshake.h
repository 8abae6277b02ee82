// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local barrier: when each endpoint (core or host) opens its next step.
//
// An endpoint has sent all of step t when its engine has finished its updates
// and its port has taken their last message. It then sends a *done message* to
// each of its partners (Partners.h). Done messages travel behind the messages
// of their step and cannot overtake them: whoever has those of all partners
// knows that every message of step t to it is in its queue or served. It opens
// step t + 1 as soon as
//   its own engine has finished step t,
//   the done message of step t of each partner has come, and
//   its receive engine has served all messages of step t, and
//   the tick of the timing set is over,
// all of which it can see itself. Partners are never more than one step apart,
// so that two steps of each endpoint are all that is kept, by parity.
//
// The class knows nothing of SystemC. Nothing depends on the order of calls
// inside an instant.

#ifndef DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_HANDSHAKE_H
#define DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_HANDSHAKE_H

#include "simulator/timing/Activity.h"
#include "simulator/timing/MessageStream.h"
#include "simulator/timing/handshake/CriticalPaths.h"
#include "simulator/timing/handshake/OverlapTimeline.h"
#include "simulator/timing/handshake/Partners.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace dendrolith::sim {

class Handshake {
public:
  /// `activity` learns how long engines worked. The timeline has at most
  /// `events` slices.
  Handshake(const Machine &machine, const Target &target,
            const TimingSet &timing, uint64_t stepsOfSample, uint64_t events,
            Activity &activity);

  /// All endpoints open step 0 of a sample at `time`.
  void startSample(uint64_t time);

  /// The next time at which an endpoint opens a step, as far as known, or
  /// `never`.
  uint64_t next() const { return planned.empty() ? never : planned.top().time; }
  /// Opens a step for all endpoints whose turn it is at next(), as far as it is
  /// the same step, and names them; the caller lets them act in it. A sample
  /// has ended when all have opened the step after its last one.
  uint64_t open(std::vector<uint32_t> &endpoints);
  /// The caller has let all act that open at this instant. Between open() and
  /// this call more may become known at the same instant.
  void opened() { isOpening = false; }
  bool opening() const { return isOpening; }
  /// The lowest step that an endpoint has open.
  uint64_t lowestStep() const;

  // What an endpoint does in the step that it has open.

  /// It sends these messages of so many flits, or one to the host if there are
  /// none.
  void expect(Span<Machine::Message> to, uint32_t flits, uint64_t step,
              uint64_t time);
  /// Its engine finishes at `end`, and its port has taken everything.
  void finished(uint32_t endpoint, uint64_t end);
  /// Its port let its engine wait.
  void stalled(uint32_t core, uint64_t from, uint64_t to);
  /// A flit has left the mesh at `time` for a queue that it leaves at `end`,
  /// after `service` ps of the receive engine.
  void received(const Flit &flit, uint64_t time, uint64_t end,
                uint64_t service);

  /// The sample has ended. Returns the chain of what the last endpoint (the
  /// first of several) waited for, step by step, which is as long as the
  /// sample. In it cores are indices, and links are named by endpoints.
  std::vector<StepTime> endSample();

  uint32_t endpoints() const { return partners.endpoints(); }
  Timeline takeTimeline() { return timeline.take(); }

private:
  /// The last of several events, and the endpoint that caused it.
  struct Last {
    uint64_t time = 0;
    uint32_t who = UINT32_MAX;
    void later(uint64_t at, uint32_t by) {
      if (at > time || (at == time && by < who))
        *this = {at, by};
    }
  };
  /// What of one step has come to an endpoint.
  struct Arrived {
    uint64_t flits = 0; // that were sent to it and are still in the mesh
    uint64_t done = 0;  // how many done messages have come
    Last lastDone, lastFlit;
    uint64_t served = 0; // when the last message was served
  };
  struct Step {
    uint64_t opened = 0, end = never; // when the engine began and ended
    Arrived arrived;
    uint32_t path = CriticalPaths::none; // what led to its opening
  };
  struct Endpoint {
    uint64_t step = 0;
    bool planned = true; // whether the opening of the next step is
    Step steps[2];       // by parity
  };
  /// An endpoint opens a step.
  struct Opening {
    uint64_t time, step;
    uint32_t endpoint;
    bool operator>(const Opening &o) const {
      return std::tie(time, step, endpoint) >
             std::tie(o.time, o.step, o.endpoint);
    }
  };

  Step &at(uint32_t endpoint, uint64_t step) {
    return all[endpoint].steps[step & 1];
  }
  bool isHost(uint32_t endpoint) const { return endpoint + 1 == all.size(); }
  uint64_t fromBeginning(uint64_t step) const {
    return samples * stepsOfSample + step;
  }
  void plan(uint32_t endpoint);
  void lead(uint32_t endpoint, uint64_t time);

  const Machine &machine;
  const Partners partners;
  Activity &activity;
  const uint64_t stepsOfSample, tick;
  std::vector<Endpoint> all;
  std::priority_queue<Opening, std::vector<Opening>, std::greater<Opening>>
      planned;
  CriticalPaths paths;
  OverlapTimeline timeline;
  uint64_t samples = 0; // how many have ended
  bool isOpening = false;
  // How many flits are in the mesh or offered, since when there is one, and of
  // which step that one was.
  uint64_t flying = 0, flyingSince = 0, flyingStep = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_HANDSHAKE_H
