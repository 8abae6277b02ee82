// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random times, and what two runs must have in common whatever theirs were.

#ifndef DENDROLITH_TESTS_SIMULATOR_TIMING_AGREEMENT_H
#define DENDROLITH_TESTS_SIMULATOR_TIMING_AGREEMENT_H

#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith::sim {

/// Any times, zeros and ties among them; buffers down to one flit.
inline TimingSet randomTiming(uint32_t seed) {
  std::mt19937 random(seed);
  auto time = [&](uint64_t most) -> uint64_t {
    switch (random() % 4) {
    case 0:
      return 0;
    case 1:
      return 1000;
    default:
      return random() % most;
    }
  };
  TimingSet t = instantTiming();
  t.updateInactive = time(5000);
  t.updateActive = time(9000);
  t.spikeEmit = time(3000);
  t.messageOut = time(1000);
  t.messageIn = time(20000);
  t.perSynapse = {time(4000), time(4000), time(4000)};
  t.perWord = time(1000);
  t.reset = time(1000000);
  t.barrier.base = time(100000);
  // Cores of different speed.
  if (seed % 2)
    for (uint64_t core = 0; core < 16; ++core)
      if (random() % 2)
        t.timeScale[core] = 1 + random() % 20000;
  t.noc.grid = random() % 2 ? 0 : 1000;
  for (PortTiming *port :
       {&t.noc.north, &t.noc.south, &t.noc.east, &t.noc.west, &t.noc.local}) {
    port->forward = time(7000);
    port->credit = time(5000);
    port->interval = time(2000);
    port->inject = time(2000);
    port->eject = time(2000);
    port->buffer = 1 + random() % 3;
  }
  PortTiming &link = t.noc.crossing;
  link.forward = 1 + time(90000);
  link.credit = 1 + time(90000);
  link.interval = 1 + time(9000);
  link.buffer = 1 + random() % 3;
  t.board.base = time(100000);
  return t;
}

/// Some times, with cores that serve first where `form` is 1, or with a tick
/// where it is 2.
inline Target randomlyTimed(const test::RandomProgram &random, uint32_t seed,
                            uint32_t form) {
  TimingSet timing = randomTiming(seed);
  if (form == 1) {
    timing.serial.emplace();
    timing.serial->perSpike = 100 * (seed % 7);
    timing.serial->perDue = 30 * (seed % 3);
    timing.serial->allSlots = seed % 2;
    if (seed % 3 == 0)
      timing.serial->sequencer.emplace();
  }
  if (form == 2)
    timing.tick = 1000 * (seed % 200);
  Target target = withTiming(random.target, timing);
  target.limits.compartmentsPerCore = 64;
  return target;
}

inline RunOptions tracingAll(const image::Program &program) {
  RunOptions options;
  for (const image::Population &p : program.populations())
    for (const char *state : {"", "u", "v"})
      options.traces.push_back({p.name(), state});
  return options;
}

inline void expectSame(const RunResult &a, const RunResult &b) {
  ASSERT_EQ(a.counts.difference(b.counts), "");
  ASSERT_TRUE(a.attribution == b.attribution);
  ASSERT_EQ(a.sampleCounts.size(), a.samples);
  ASSERT_TRUE(a.sampleCounts == b.sampleCounts);
  ASSERT_EQ(a.samples, b.samples);
  ASSERT_EQ(a.ticks, b.ticks);
  ASSERT_EQ(a.steps, b.steps);
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (size_t i = 0; i < a.outputs.size(); ++i) {
    ASSERT_EQ(a.outputs[i].name, b.outputs[i].name);
    ASSERT_EQ(a.outputs[i].kind, b.outputs[i].kind);
    ASSERT_EQ(a.outputs[i].shape, b.outputs[i].shape);
    ASSERT_EQ(a.outputs[i].values, b.outputs[i].values);
    ASSERT_EQ(a.outputs[i].integer, b.outputs[i].integer);
  }
  ASSERT_EQ(a.traces.size(), b.traces.size());
  for (size_t i = 0; i < a.traces.size(); ++i) {
    ASSERT_EQ(a.traces[i].name, b.traces[i].name);
    ASSERT_EQ(a.traces[i].values, b.traces[i].values);
  }
  ASSERT_EQ(a.saturations.inputs, b.saturations.inputs);
  ASSERT_EQ(a.saturations.wrapped, b.saturations.wrapped);
  ASSERT_EQ(a.saturations.clipped, b.saturations.clipped);
  ASSERT_EQ(a.saturations.peaks, b.saturations.peaks);
  ASSERT_EQ(a.neuroBench.connectionSparsity, b.neuroBench.connectionSparsity);
  ASSERT_EQ(a.neuroBench.activationSparsity, b.neuroBench.activationSparsity);
  ASSERT_EQ(a.neuroBench.effectiveAcs, b.neuroBench.effectiveAcs);
  ASSERT_EQ(a.neuroBench.effectiveMacs, b.neuroBench.effectiveMacs);
  ASSERT_EQ(a.neuroBench.membraneUpdates, b.neuroBench.membraneUpdates);
}

} // namespace dendrolith::sim

#endif // DENDROLITH_TESTS_SIMULATOR_TIMING_AGREEMENT_H
