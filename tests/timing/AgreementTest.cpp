// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing never changes a result: the cycle engine under random timing sets
// against the functional engine, with values accumulated on arrival and
// compared at every barrier.

#include "simulator/events/Mesh.h"
#include "simulator/timing/Transfer.h"
#include "tests/simulator/NaiveCounter.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/timing/Scenario.h"

#include <gtest/gtest.h>

#include <random>

namespace neurite::sim {
namespace {

/// Any times, zeros and ties among them; buffers down to one flit.
TimingSet randomTiming(uint32_t seed, bool local = false) {
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
  if (local) {
    t.barrier.form = BarrierTiming::Form::Handshake;
    // Words that are long, short, or no time at all beside the step.
    t.barrier.base >>= 4 * (seed % 5);
  }
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
  return t;
}

RunOptions tracingAll(const image::Program &program) {
  RunOptions options;
  for (const image::Population &p : program.populations())
    for (const char *state : {"", "u", "v"})
      options.traces.push_back({p.name(), state});
  return options;
}

void expectSame(const RunResult &a, const RunResult &b) {
  ASSERT_EQ(a.counts.difference(b.counts), "");
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
  ASSERT_EQ(a.neuroBench.connectionSparsity, b.neuroBench.connectionSparsity);
  ASSERT_EQ(a.neuroBench.activationSparsity, b.neuroBench.activationSparsity);
  ASSERT_EQ(a.neuroBench.effectiveAcs, b.neuroBench.effectiveAcs);
  ASSERT_EQ(a.neuroBench.effectiveMacs, b.neuroBench.effectiveMacs);
  ASSERT_EQ(a.neuroBench.membraneUpdates, b.neuroBench.membraneUpdates);
}

std::map<std::string, test::NaiveRecord> recordsOf(const RunResult &result) {
  std::map<std::string, test::NaiveRecord> records;
  for (const TraceData &trace : result.traces) {
    test::NaiveRecord &record = records[trace.population];
    (trace.state.empty()  ? record.spikes
     : trace.state == "u" ? record.u
                          : record.v) = trace.values;
  }
  return records;
}

void expectAgreement(bool local) {
  uint64_t messages = 0, stalls = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed);
    // Payloads wider than a flit travel in several.
    if (seed % 3 == 0)
      random.target.mesh.flitBits = 1 + seed % 7;
    RunOptions options = tracingAll(random.program);
    RunResult plain =
        runFunctional(random.program, random.target, random.inputs, options);
    options.verify = true;
    Target target = withTiming(random.target, randomTiming(seed, local));
    RunResult cycle = runCycle(random.program, target, random.inputs, options);
    expectSame(cycle, plain);

    Counts naive = test::countNaively(random.program, target, random.inputs,
                                      recordsOf(cycle));
    ASSERT_EQ(cycle.counts.difference(naive), "");

    uint64_t sum = 0;
    ASSERT_EQ(cycle.stepTimes.size(), cycle.samples);
    for (size_t s = 0; s < cycle.samples; ++s) {
      uint64_t sample = 0;
      ASSERT_EQ(cycle.stepTimes[s].size(), cycle.steps);
      for (const StepTime &t : cycle.stepTimes[s])
        sample += t.update + t.noc + t.receive + t.barrier;
      ASSERT_EQ(cycle.sampleLatencyPs[s], sample);
      sum += sample + target.timing().reset;
    }
    ASSERT_EQ(cycle.timePs, sum);
    messages += cycle.counts.total()[Counter::Messages];
    stalls += cycle.counts.total()[Counter::Stalls];
  }
  // The programs are not all silent, nor the ports all free.
  EXPECT_GT(messages, 1000u);
  EXPECT_GT(stalls, 1000000u);
}

TEST(Agreement, CycleEngineEqualsFunctionalEngineWhateverTheTiming) {
  expectAgreement(/*local=*/false);
}

TEST(Agreement, AndWithABarrierOfEachCoreItsOwn) {
  expectAgreement(/*local=*/true);
}

/// When each core's update engine was at work, by step from the beginning.
std::map<std::pair<uint32_t, uint64_t>, std::pair<uint64_t, uint64_t>>
updatesOf(const Timeline &timeline) {
  std::map<std::pair<uint32_t, uint64_t>, std::pair<uint64_t, uint64_t>> found;
  for (const TimelineEvent &event : timeline.events)
    if (event.kind == TimelineEvent::Update)
      found[{event.core, event.step}] = {event.start,
                                         event.start + event.length};
  return found;
}

// Read from the slices alone, and from the program's tables.
TEST(Agreement, NoCoreOpensAStepBeforeAPartnersWordCanBeThere) {
  uint64_t seen = 0, ahead = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed);
    TimingSet timing = randomTiming(seed, /*local=*/true);
    Target target = withTiming(random.target, timing);
    RunOptions options;
    options.timelineEvents = 1000000;
    auto updates = updatesOf(
        runCycle(random.program, target, random.inputs, options).timeline);
    Machine machine(random.program);
    for (const Machine::Group &group : machine.groups())
      for (uint32_t s = 0; s < group.count * group.sources; ++s)
        for (const auto &to : machine.messages(group.source + s)) {
          const uint64_t a = machine.cores()[group.core].id,
                         b = machine.cores()[to.core].id;
          if (a == b)
            continue;
          const Hops hops =
              tileHops(target, target.tileOf(a), target.tileOf(b));
          const uint64_t word =
              timing.barrier.base + zeroLoad(timing.noc, hops.ew, hops.ns);
          for (auto [one, other] : {std::pair(a, b), std::pair(b, a)})
            for (const auto &[key, times] : updates)
              if (auto next = updates.find({uint32_t(other), key.second + 1});
                  key.first == one && next != updates.end()) {
                ASSERT_GE(next->second.first, times.second + word);
                ++seen;
              }
        }
    for (const auto &[key, times] : updates)
      for (const auto &[later, then] : updates)
        ahead += later.second > key.second && then.first < times.second;
  }
  EXPECT_GT(seen, 1000u);
  EXPECT_GT(ahead, 30u); // steps do overlap
}

TEST(Agreement, SameInputGivesTheSameBytes) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    test::RandomProgram random = test::randomProgram(seed);
    Target target =
        withTiming(random.target, randomTiming(seed, /*local=*/seed % 2));
    RunOptions options = tracingAll(random.program);
    std::string first =
        toBytes(runCycle(random.program, target, random.inputs, options));
    for (int again = 0; again < 2; ++again)
      ASSERT_EQ(
          toBytes(runCycle(random.program, target, random.inputs, options)),
          first);
    // Checking changes nothing.
    options.verify = true;
    ASSERT_EQ(toBytes(runCycle(random.program, target, random.inputs, options)),
              first);
  }
}

// The order in which cores run and routers are visited inside an instant.
TEST(Agreement, OrderInsideAnInstantDoesNotShow) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed);
    Target target =
        withTiming(random.target, randomTiming(seed, /*local=*/seed >= 20));
    RunOptions options = tracingAll(random.program);
    options.timelineEvents = 100000;
    std::string plain =
        toBytes(runCycle(random.program, target, random.inputs, options));
    for (uint64_t shuffle : {1, 2, 3}) {
      options.shuffle = shuffle;
      for (bool verify : {false, true}) {
        options.verify = verify;
        ASSERT_EQ(
            toBytes(runCycle(random.program, target, random.inputs, options)),
            plain);
      }
    }
  }
}

TEST(Agreement, ShippedTimingSetsRun) {
  for (const char *name : {"tiny", "loihi1", "ideal"}) {
    Target shipped = Target::load(name);
    for (const TimingSet &timing : shipped.timings) {
      test::RandomProgram random = test::randomProgram(3);
      Target target = withTiming(random.target, timing);
      RunOptions options;
      options.verify = true;
      options.timing = timing.name;
      RunResult cycle =
          runCycle(random.program, target, random.inputs, options);
      RunResult plain =
          runFunctional(random.program, target, random.inputs, options);
      EXPECT_EQ(cycle.counts.difference(plain.counts), "") << timing.name;
    }
  }
}

} // namespace
} // namespace neurite::sim
