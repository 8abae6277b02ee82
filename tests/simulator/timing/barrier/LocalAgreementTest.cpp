// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/barrier/LocalBarrier.cpp,
// simulator/timing/handshake/Partners.cpp.
// The local barrier under random times, scales of cores and partners.

#include "simulator/functional/machine/Machine.h"
#include "simulator/timing/Transfer.h"
#include "targets/mesh/Routing.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/timing/Agreement.h"
#include "tests/simulator/timing/LocalScenario.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace dendrolith::sim {
namespace {

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

RunOptions tracedOptions() {
  RunOptions options;
  options.timelineEvents = 1000000;
  return options;
}

/// Twelve cores of one neuron each, joined at random, some to nobody; in about
/// half the graphs several do not hear of each other even through others.
image::Program randomGraph(uint32_t seed) {
  std::mt19937 random(seed);
  RowOfCores row(12);
  for (uint32_t core = 0; core < 12; ++core)
    random() % 3 ? row.fires(core) : row.listens(core);
  for (uint32_t links = random() % 24; links > 0; --links)
    row.send(random() % 12, random() % 12, int(random() % 120) - 60,
             static_cast<uint16_t>(random() % 4));
  if (random() % 2)
    row.shows(random() % 12);
  return row.build();
}

/// By core, the partners that a done message comes from, and how long it takes.
std::map<uint64_t, std::map<uint64_t, uint64_t>>
delaysOf(const Machine &machine, const Target &target) {
  const TimingSet &timing = target.timing();
  std::map<uint64_t, std::map<uint64_t, uint64_t>> delays;
  for (const Machine::Group &group : machine.groups())
    for (uint32_t s = 0; s < group.count * group.sources; ++s)
      for (const auto &to : machine.messages(group.source + s)) {
        const uint64_t a = machine.cores()[group.core].id,
                       b = machine.cores()[machine.coreOf(to)].id;
        if (a == b)
          continue;
        const Hops hops =
            hopsBetween(target.mesh, target.coreXY(a), target.coreXY(b));
        delays[a][b] = delays[b][a] =
            timing.barrier.base +
            zeroLoad(timing.noc, hops.ew, hops.ns, hops.crossings);
      }
  return delays;
}

// The definition, word for word: every opening from the slices before it.
TEST(LocalAgreement, EveryOpeningIsTheLatestOfWhatItWaitsFor) {
  uint64_t byItself = 0, byDone = 0, byMessage = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    image::Program program = randomGraph(seed);
    if (program.outputs_size())
      continue; // the host has no slices
    // Every visit and every service takes some time, so that it is seen.
    TimingSet timing = randomTiming(seed, /*local=*/true);
    for (uint64_t *time :
         {&timing.updateInactive, &timing.updateActive, &timing.messageIn})
      *time += 1000;
    const Target target = withTiming(test::mesh(4, 3), timing);
    const Timeline timeline =
        runCycle(program, target, ticksOf(12), tracedOptions()).timeline;
    const auto updates = updatesOf(timeline);
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> served;
    for (const TimelineEvent &event : timeline.events)
      if (event.kind == TimelineEvent::Receive)
        served[{event.core, event.step}] = event.start + event.length;
    const auto delays = delaysOf(Machine(program), target);
    ASSERT_EQ(updates.size(), 12u * 12);
    for (uint32_t core = 0; core < 12; ++core)
      for (uint64_t step = 0; step < 11; ++step) {
        const uint64_t itself = updates.at({core, step}).second;
        const auto message = served.find({core, step});
        const uint64_t last = message == served.end() ? 0 : message->second;
        uint64_t done = 0;
        if (const auto found = delays.find(core); found != delays.end())
          for (const auto &[partner, takes] : found->second)
            done = std::max(done, updates.at({uint32_t(partner), step}).second +
                                      takes);
        const uint64_t opens = updates.at({core, step + 1}).first;
        ASSERT_EQ(opens, std::max({itself, done, last}))
            << "core " << core << " step " << step + 1;
        byItself += opens == itself;
        byDone += opens == done;
        byMessage += opens == last;
      }
  }
  EXPECT_GT(byItself, 500u);
  EXPECT_GT(byDone, 500u);
  EXPECT_GT(byMessage, 500u);
}

// With the host, rhythms and programs of all kinds: nobody is too early.
TEST(LocalAgreement, NoCoreOpensAStepBeforeAPartnersWordCanBeThere) {
  uint64_t seen = 0, ahead = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed);
    const Target target =
        withTiming(random.target, randomTiming(seed, /*local=*/true));
    const auto updates = updatesOf(
        runCycle(random.program, target, random.inputs, tracedOptions())
            .timeline);
    for (const auto &[core, partners] :
         delaysOf(Machine(random.program), target))
      for (const auto &[key, times] : updates)
        if (auto partner = partners.find(key.first); partner != partners.end())
          if (auto next = updates.find({uint32_t(core), key.second + 1});
              next != updates.end()) {
            ASSERT_GE(next->second.first, times.second + partner->second);
            ++seen;
          }
    for (const auto &[key, times] : updates)
      for (const auto &[later, then] : updates)
        ahead += later.second > key.second && then.first < times.second;
  }
  EXPECT_GT(seen, 1000u);
  EXPECT_GT(ahead, 30u); // steps do overlap
}

TEST(LocalAgreement, GraphsOfCoresThatRunAwayFromEachOther) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    image::Program program = randomGraph(seed);
    Target target = withTiming(test::mesh(4, 3), randomTiming(seed, true));
    RunOptions options = tracingAll(program);
    const auto inputs = ticksOf(15, 2);
    RunResult plain = runFunctional(program, target, inputs, options);
    std::string bytes;
    for (bool verify : {false, true}) {
      options.verify = verify;
      options.shuffle = verify;
      RunResult cycle = runCycle(program, target, inputs, options);
      expectSame(cycle, plain);
      for (size_t s = 0; s < 2; ++s) {
        uint64_t sample = 0;
        for (const StepTime &t : cycle.stepTimes[s])
          sample += t.update + t.noc + t.receive + t.barrier;
        ASSERT_EQ(cycle.sampleLatencyPs[s], sample);
      }
      ASSERT_TRUE(bytes.empty() || bytes == toBytes(cycle));
      bytes = toBytes(cycle);
    }
  }
}

} // namespace
} // namespace dendrolith::sim
