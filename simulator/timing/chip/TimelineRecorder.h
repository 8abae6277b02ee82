// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes down what cores, mesh and host did in each step that a timeline asks
// for, and keeps the longest steps. Cores are named by their index in the
// machine, the host by the number of cores.

#ifndef DENDROLITH_SIMULATOR_TIMING_CHIP_TIMELINERECORDER_H
#define DENDROLITH_SIMULATOR_TIMING_CHIP_TIMELINERECORDER_H

#include "simulator/options/RunOptions.h"
#include "simulator/result/RunResult.h"
#include "simulator/timing/messages/MessageStream.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace dendrolith::sim {

class TimelineRecorder {
public:
  TimelineRecorder(const TimelineRequest &request, uint32_t cores)
      : request(request), engines(request.rows ? cores + 1 : 0) {}

  bool wanted() const { return request.rows != 0; }
  /// Whether the open step is one of those that are asked for.
  bool recording() const { return on; }

  void openStep(uint64_t sample, uint64_t step, uint64_t time);
  /// All that an endpoint sends in the step is known.
  void emits(const MessageStream &stream);
  /// An update engine, or the host, has worked.
  void worked(uint32_t endpoint, uint64_t from, uint64_t to);
  void stalled(uint32_t endpoint, uint64_t from, uint64_t to);

  /// The port is about to take the flit that is offered.
  void handsOver(const MessageStream &stream, const Machine &machine);
  /// A message is there. Those between two endpoints stay in order. Returns its
  /// synapses.
  uint64_t arrived(uint32_t source, uint32_t destination);

  /// Served from `from` to `to`, and there since `time`.
  void served(uint32_t source, uint32_t core, uint64_t time, uint64_t from,
              uint64_t to, uint64_t synops);
  /// The same of a core that serves in the next step what it keeps now.
  void keep(uint32_t core, uint64_t synops);
  void servedKept(uint32_t core, uint64_t from, uint64_t to);

  /// A link carries so many flits in the step.
  void crossed(uint32_t from, uint32_t to, uint64_t flits) {
    open.links.push_back({from, to, flits});
  }
  /// The last flit left at `mesh`, or there was none and it is 0; work ended
  /// at `end` and the barrier at `closed`.
  void closeStep(uint64_t mesh, uint64_t end, uint64_t closed);

  /// What was kept, with cores as they are named here.
  Timeline take();

private:
  using Slice = TimelineSlice;
  struct Engine {
    Slice stall, receive; // may still grow
    uint64_t sent = 0, keptMessages = 0, keptSynops = 0;
    std::deque<uint64_t> ends; // when the messages that wait are served
    std::vector<TimelineQueue> queue;
  };
  bool isHost(uint32_t endpoint) const {
    return endpoint + 1 == engines.size();
  }
  void add(const Slice &slice) {
    if (slice.length)
      open.slices.push_back(slice);
  }
  void extend(Slice &slice, const Slice &by);
  void note(uint32_t core, uint64_t time);
  void leave(uint32_t core, uint64_t until);
  void addQueues();
  void addFlows();
  void showLast();
  void keepLongest();

  const TimelineRequest request;
  bool on = false;
  TimelineStep open;
  std::vector<Engine> engines;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<uint64_t>> under; // way
  std::map<std::pair<uint32_t, uint32_t>, TimelineFlow> flows;
  /// The longest steps so far; of equal ones an earlier one counts as longer.
  using Length = std::pair<uint64_t, uint64_t>;
  std::map<Length, TimelineStep> kept;
  Length dropped = {0, 0};
  uint64_t rows = 0, asked = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_CHIP_TIMELINERECORDER_H
