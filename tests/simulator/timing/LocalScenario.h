// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cores in a row, one neuron each, that fire in every step or only listen; the
// host sends them nothing.

#ifndef DENDROLITH_TESTS_SIMULATOR_TIMING_LOCALSCENARIO_H
#define DENDROLITH_TESTS_SIMULATOR_TIMING_LOCALSCENARIO_H

#include "tests/simulator/timing/Scenario.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace dendrolith::sim {

class RowOfCores {
public:
  explicit RowOfCores(uint32_t cores) : builder(/*period=*/1, /*depth=*/1) {
    for (uint32_t core = 0; core < cores; ++core)
      builder.population(nameOf(core), 1, 0);
    builder.binaryInput("in", 1, 0);
  }
  /// Of the core's population.
  static std::string nameOf(uint32_t core) {
    return std::string(1, static_cast<char>('a' + core));
  }
  RowOfCores &fires(uint32_t core) {
    builder.group(core, nameOf(core), 0, 1,
                  test::cuba(60, 4095, 4096, /*bias=*/70));
    return *this;
  }
  RowOfCores &listens(uint32_t core) {
    builder.group(core, nameOf(core), 0, 1, test::cuba(1000, 4095, 4096));
    return *this;
  }
  /// Its spikes go to the host.
  RowOfCores &shows(uint32_t core) {
    builder.output("out", nameOf(core), "s");
    return *this;
  }
  RowOfCores &send(uint32_t from, uint32_t to, int weight = 1,
                   uint16_t delay = 0) {
    builder.connect(nameOf(from), 0, to,
                    builder.axon(to, 0, {weight}, {}, delay, 0, 1));
    return *this;
  }
  image::Program build() { return builder.build(); }

private:
  test::ProgramBuilder builder;
};

inline std::map<std::string, Samples> ticksOf(uint64_t ticks,
                                              uint64_t samples = 1) {
  const std::vector<std::vector<double>> silent(ticks, {0});
  return {{"in", test::samples({samples, silent})}};
}

/// From a core to its neighbour in the row a flit takes 8 and a done
/// message 15.
inline TimingSet doneAfter15() {
  TimingSet timing = instantTiming();
  timing.updateActive = 10;
  timing.noc.local.inject = 1;
  timing.noc.east.forward = timing.noc.west.forward = 5;
  timing.noc.local.eject = 2;
  timing.barrier.form = BarrierTiming::Form::Handshake;
  timing.barrier.base = 7;
  return timing;
}

/// On the honest path, which must end like the fast one.
inline RunResult runRow(const image::Program &program, const TimingSet &timing,
                        uint64_t ticks, uint64_t samples = 1,
                        uint64_t events = 1000) {
  RunOptions options;
  options.verify = true;
  options.timelineEvents = events;
  return runCycle(program, withTiming(test::mesh(4, 1), timing),
                  ticksOf(ticks, samples), options);
}

struct Slice {
  uint64_t start = 0, length = 0;
  uint32_t core = 0;
  uint64_t step = 0;
  bool operator==(const Slice &o) const {
    return std::tie(start, length, core, step) ==
           std::tie(o.start, o.length, o.core, o.step);
  }
};

inline std::ostream &operator<<(std::ostream &out, const Slice &slice) {
  return out << slice.start << "+" << slice.length << " core " << slice.core
             << " step " << slice.step;
}

/// By core and step.
inline std::vector<Slice> slicesOf(const RunResult &result,
                                   TimelineEvent::Kind kind) {
  std::vector<Slice> slices;
  for (const TimelineEvent &event : result.timeline.events)
    if (event.kind == kind)
      slices.push_back({event.start, event.length, event.core, event.step});
  std::sort(slices.begin(), slices.end(), [](const Slice &a, const Slice &b) {
    return std::tie(a.core, a.step, a.start) <
           std::tie(b.core, b.step, b.start);
  });
  return slices;
}

} // namespace dendrolith::sim

#endif // DENDROLITH_TESTS_SIMULATOR_TIMING_LOCALSCENARIO_H
