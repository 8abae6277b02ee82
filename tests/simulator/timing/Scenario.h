// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two inputs at the host (tile 0), two neurons on core 0 (tile 0), one neuron
// on core 3 (tile 3, one to the east and one to the south), whose spike goes
// back to the host. In step 0 both inputs enter, in step 1 `a` is visited and
// its first neuron fires, in step 2 `b` fires.

#ifndef DENDROLITH_TESTS_SIMULATOR_TIMING_SCENARIO_H
#define DENDROLITH_TESTS_SIMULATOR_TIMING_SCENARIO_H

#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"

namespace dendrolith::sim {

inline image::Program twoCores() {
  using namespace dendrolith::test;
  ProgramBuilder builder(/*period=*/1, /*depth=*/3);
  builder.population("a", 2, 1).population("b", 1, 2).binaryInput("in", 2, 0);
  builder.group(0, "a", 0, 2, cuba(60)).group(3, "b", 0, 1, cuba(60));
  builder.output("out", "b", "s");
  // Lists of two dense synapses in one word: 100 fires, 50 does not.
  builder.connect("in", 0, 0, builder.axon(0, 0, {100, 0}, {}, 0, 0, 1));
  builder.connect("in", 1, 0, builder.axon(0, 0, {0, 50}, {}, 0, 0, 1));
  builder.connect("a", 0, 3, builder.axon(3, 0, {70}, {}, 0, 0, 1));
  return builder.build();
}

/// Both inputs of twoCores() at its one tick.
inline std::map<std::string, Samples> bothInputs() {
  return {{"in", test::samples({{{1, 1}}})}};
}

/// Everything at once, nothing finite.
inline TimingSet instantTiming() {
  TimingSet timing;
  timing.name = "test";
  NocTiming &noc = timing.noc;
  for (PortTiming *port :
       {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local})
    port->buffer = 65536;
  return timing;
}

inline Target withTiming(Target target, const TimingSet &timing) {
  target.timings = {timing};
  target.defaultTiming = timing.name;
  return target;
}

inline RunResult runTwoCores(const TimingSet &timing) {
  RunOptions options;
  options.verify = true;
  return runCycle(twoCores(), withTiming(test::mesh(2, 2), timing),
                  bothInputs(), options);
}

} // namespace dendrolith::sim

#endif // DENDROLITH_TESTS_SIMULATOR_TIMING_SCENARIO_H
