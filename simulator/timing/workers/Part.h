// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a worker of the cycle engine finds out about its samples, before
// anything is multiplied out: parts of several workers add up to what one
// worker would have found.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORKERS_PART_H
#define DENDROLITH_SIMULATOR_TIMING_WORKERS_PART_H

#include "runtime/host/Content.h"
#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/record/Recorder.h"
#include "simulator/timing/workers/Part.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// Which samples a worker of the cycle engine runs. Samples share nothing, so
/// that several workers give what one gives.
///
/// Sample `first` and each `stride`-th after it, so that a file whose samples
/// grow longer and longer keeps all workers busy.
struct Share {
  uint64_t first = 0, stride = 1;

  /// How many they are of all samples.
  uint64_t of(uint64_t samples) const {
    return first < samples ? (samples - first - 1) / stride + 1 : 0;
  }
};

/// How several processes share the steps of one sample: each has a leg, and
/// lets messages travel somewhat earlier. All let about as many steps travel.
class Legs {
public:
  Legs(uint64_t steps, uint64_t count);

  uint64_t count() const { return firsts.size(); }
  /// The first step of a leg, the first that travels for it, and behind its
  /// last.
  uint64_t first(uint64_t leg) const { return firsts[leg]; }
  uint64_t from(uint64_t leg) const {
    return first(leg) - std::min(first(leg), early);
  }
  uint64_t behind(uint64_t leg) const {
    return leg + 1 < count() ? firsts[leg + 1] : steps;
  }

private:
  std::vector<uint64_t> firsts;
  uint64_t steps, early;
};

/// What a process asks that runs one leg. From one step to the next the mesh
/// keeps nothing but whose turn it is (FlitMesh::turns()).
class Leg {
public:
  virtual ~Leg() = default;
  /// The first step whose messages travel here, the first that counts, and
  /// behind the last, as far as known.
  virtual uint64_t from() const = 0;
  virtual uint64_t first() const = 0;
  virtual uint64_t end() const = 0;
  /// With which turns it begins; null where nobody knows them.
  virtual const std::vector<uint32_t> *given() const { return nullptr; }
  /// It begins with these turns.
  virtual void begin(const std::vector<uint32_t> &turns) = 0;
  /// Whether another process runs this leg, too.
  virtual bool refused() const { return false; }
  /// Whether it ends with these turns. If not, end() is another.
  virtual bool ends(const std::vector<uint32_t> &turns) = 0;
};

/// Several workers run one sample. What a step adds to values depends on no
/// time, so each computes all steps until its end, and lets the messages of
/// its leg travel. To get the turns with which the leg begins, it also lets the
/// messages of some steps before travel, uncounted. The worker before it
/// compares them with the turns at the end of its own leg. Where they differ
/// it runs the next leg, too, and the times of that leg's worker are not taken.
/// So bytes are those of one worker.
///
/// TogetherTest of timing holds both equal, and tests/bench/ranks.py shows the
/// gain.
class Relay final : public Leg {
public:
  /// Lies in memory that is shared with processes forked from now on.
  Relay(uint64_t steps, uint64_t workers);
  ~Relay() override;
  Relay(const Relay &) = delete;
  Relay &operator=(const Relay &) = delete;

  uint64_t workers() const { return legs.count(); }
  /// The first step of a worker's leg, and behind the last.
  uint64_t first(uint64_t worker) const { return legs.first(worker); }
  uint64_t behind(uint64_t worker) const { return legs.behind(worker); }

  /// Makes this process worker `worker`.
  void start(uint64_t worker);
  uint64_t worker() const { return self; }
  uint64_t from() const override { return legs.from(self); }
  uint64_t first() const override { return first(self); }
  uint64_t end() const override { return behind(last); }
  void begin(const std::vector<uint32_t> &turns) override;
  bool refused() const override;
  bool ends(const std::vector<uint32_t> &turns) override {
    return !taken() || handsOver(turns);
  }
  /// Whether this leg counts, for which this waits.
  bool taken() const;
  /// Whether the next worker began with the turns with which this one ends,
  /// for which this waits. If not, end() is another.
  bool handsOver(const std::vector<uint32_t> &turns);
  /// Says that this worker failed. Returns whether nobody relies on it.
  bool giveUp();

private:
  struct Baton;
  const Legs legs;
  Baton *batons; // by worker
  uint64_t self = 0, last = 0;
};

struct Part {
  Part(const Machine &machine, const LimitedTraffic *limited)
      : events(machine), limits(limited) {}
  Part(EventCounter events, StepLimits limits, RunResult times)
      : events(std::move(events)), limits(std::move(limits)),
        times(std::move(times)) {}

  EventCounter events;
  StepLimits limits;
  RunResult times; // nothing else, and of counts only stalls
};

/// Adds the part of another worker of the same run, or its times alone, without
/// a timeline.
void merge(Part &to, Part from);
void merge(RunResult &to, RunResult from);

/// From the worker to its caller, which has the same machine and the same
/// recorder: the part, and what was recorded of the share of all samples.
/// receive() throws Error when the bytes are something else.
void send(Part &part, Recorder &recorder, Share share, uint64_t samples,
          const ByteSink &sink);
void receive(Part &part, Recorder &recorder, Share share, uint64_t samples,
             const ByteSource &source);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORKERS_PART_H
