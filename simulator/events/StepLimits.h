// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of a chip that one step may fill: so many spikes of a core, so many
// synapses that wait for one step, so many contributions from elsewhere. What
// comes beyond is lost, moved or replaced on the chip, which no engine copies.
// A run counts and says where the first step went beyond, because from there on
// its values are not the chip's.

#ifndef DENDROLITH_SIMULATOR_EVENTS_STEPLIMITS_H
#define DENDROLITH_SIMULATOR_EVENTS_STEPLIMITS_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"
#include "targets/support/Error.h"
#include "targets/support/Span.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// What one emission of each source brings to a core's queues.
class LimitedTraffic {
public:
  /// Whether the target limits steps.
  static bool isNeeded(const Target &target);
  /// Null where it does not. `program` has the synapses of all cores.
  static std::unique_ptr<const LimitedTraffic> of(const image::Program &program,
                                                  const Target &target);
  /// `machine` keeps its lists. Nothing refers to it afterwards.
  LimitedTraffic(const Machine &machine, const Target &target);

  struct Delayed {
    uint32_t core = 0, synapses = 0, steps = 0; // until they are due
  };
  Span<Delayed> delayed(uint32_t source) const {
    return {all.data() + delayedBegin[source],
            all.data() + delayedBegin[source + 1]};
  }
  /// The accumulators on cores other than its own that a source reaches, one
  /// for each synapse.
  Span<uint32_t> reached(uint32_t source) const {
    return {accumulators.data() + reachedBegin[source],
            accumulators.data() + reachedBegin[source + 1]};
  }
  /// The index of its core; that of no core for the host.
  uint32_t coreOf(uint32_t source) const { return coreOfSource[source]; }
  bool isHost(uint32_t core) const { return core == ids.size(); }
  uint32_t coreWith(uint32_t accumulator) const;

  const Limits limits;
  const std::string target;
  std::vector<uint32_t> ids; // by core

private:
  std::vector<uint32_t> coreOfSource, firstAccumulator; // the latter by core
  std::vector<uint64_t> delayedBegin = {0}, reachedBegin = {0};
  std::vector<Delayed> all;
  std::vector<uint32_t> accumulators;
};

class StepLimits {
public:
  /// Counts nothing where `traffic`, which outlives this, is null.
  explicit StepLimits(const LimitedTraffic *traffic) : traffic(traffic) {}

  bool counting() const { return traffic; }
  /// A source emits in `step`, so often to each of its targets.
  void emit(uint32_t source, uint64_t step, uint32_t times = 1);
  /// Nobody emits in a step before `step` of this sample any more.
  void closeBefore(uint64_t sample, uint64_t step);
  void endSample(uint64_t sample);
  void merge(const StepLimits &other);
  /// Writes or reads what went beyond a limit so far.
  template <typename Stream> void visit(Stream &stream) {
    for (std::optional<Excess> &excess : first) {
      bool any = excess.has_value();
      stream.plain(any);
      if (any && !excess)
        excess = Excess(); // to be read
      if (any)
        stream.plain(*excess);
    }
  }

  /// For each limit that a step went beyond, one that names the first.
  Warnings warnings() const;

private:
  /// What a step goes beyond, the first time and in how many steps.
  struct Excess {
    uint64_t sample = 0, step = 0;
    uint32_t core = 0; // index
    uint64_t count = 0, due = 0, steps = 0;
    auto place() const { return std::tie(sample, step, core); }
  };
  struct Tally {
    std::map<uint32_t, uint64_t> spikes;                       // by core
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> delayed; // core, due
    uint64_t injected = 0;
    std::unordered_map<uint32_t, uint32_t> hits; // by accumulator, from cores
    /// Where the host writes, once: it can add up what it has for a neuron.
    std::unordered_set<uint32_t> written;
  };
  enum StepLimit { Spikes, Waiting, Injected, Replaced, kKinds };
  void close(uint64_t sample, uint64_t step, const Tally &tally);
  void look(StepLimit kind, const std::optional<uint64_t> &limit,
            const Excess &found, bool &counted);

  const LimitedTraffic *traffic;
  std::map<uint64_t, Tally> open;                            // by step
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> waiting; // core, due
  std::array<std::optional<Excess>, kKinds> first;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_STEPLIMITS_H
