// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buckets, delays and periods through the primitives an engine calls.

#include "simulator/functional/machine/Step.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;

/// One input, one population of two on core 0, phase and delay as given.
image::Program clockedChain(uint32_t period, uint32_t depth, uint32_t phase,
                            uint16_t delay, image::Cuba neuron = cuba(10)) {
  ProgramBuilder b(period, depth);
  b.population("a", 2, phase).binaryInput("in", 1, 0);
  b.group(0, "a", 0, 2, neuron);
  b.project("in", "a", {{20}, {0}}, delay);
  return b.build();
}

TEST(Step, BlockedBeforeDueReadyWhenDue) {
  for (uint16_t delay : {0, 1, 5}) {
    Machine machine(clockedChain(1, 1, 0, delay));
    State state(machine, layoutOf(machine));
    GroupUpdate update;
    state.accumulators.deliver(0, 1, /*step=*/3);
    for (uint64_t step = 3; step < 4u + delay; ++step) {
      updateGroup(state, 0, step, step, update);
      EXPECT_TRUE(update.emissions.empty()) << delay << " at " << step;
      EXPECT_EQ(update.active, 0u);
    }
    updateGroup(state, 0, 4 + delay, 4 + delay, update);
    ASSERT_EQ(update.emissions.size(), 1u);
    EXPECT_EQ(update.emissions[0].neuron, 0u);
    // The zero weight counts as due, too.
    EXPECT_EQ(update.active, 2u);
    EXPECT_EQ(update.inactive, 0u);
  }
}

TEST(Step, DeliveryInTheStepOfAVisitIsForALaterOne) {
  Machine machine(clockedChain(3, 4, 1, 0));
  const BucketLayout layout = layoutOf(machine);
  State before(machine, layout), after(machine, layout);
  GroupUpdate one, other;
  before.accumulators.deliver(0, 1, 4);
  updateGroup(before, 0, /*tick=*/1, /*step=*/4, one);
  updateGroup(after, 0, 1, 4, other);
  after.accumulators.deliver(0, 1, 4);
  EXPECT_EQ(one.emissions.size(), 0u);
  EXPECT_EQ(other.emissions.size(), 0u);
  EXPECT_FALSE(before.accumulators.compare(after.accumulators));
  updateGroup(before, 0, 2, 7, one);
  EXPECT_EQ(one.emissions.size(), 1u);
}

TEST(Step, AVisitConsumesAllBucketsOfItsPeriod) {
  image::Cuba neuron = cuba(50);
  Machine machine(clockedChain(4, 6, 1, 0, neuron));
  State state(machine, layoutOf(machine));
  GroupUpdate update;
  for (uint64_t step : {1, 2, 4}) // due at 2, 3 and 5; the visit is in step 5
    state.accumulators.deliver(0, 1, step);
  state.accumulators.deliver(0, 1, 5); // for the visit in step 9
  updateGroup(state, 0, 1, 5, update);
  ASSERT_EQ(update.emissions.size(), 1u); // 60 > 50
  EXPECT_EQ(state.u[0], 60);
  updateGroup(state, 0, 2, 9, update);
  EXPECT_EQ(state.u[0], 20);
  updateGroup(state, 0, 3, 13, update);
  EXPECT_EQ(state.u[0], 0); // cleared, read once
}

TEST(Step, InputLongDueWaitsForTheFirstVisit) {
  // Due in step 1, visited first in step 5: further back than the period.
  Machine machine(clockedChain(1, 6, 5, 0));
  EXPECT_EQ(layoutOf(machine).firstWindow, 5u);
  State state(machine, layoutOf(machine));
  GroupUpdate update;
  state.accumulators.deliver(0, 1, 0);
  updateGroup(state, 0, 0, 5, update);
  EXPECT_EQ(update.emissions.size(), 1u);
}

TEST(Step, ASecondSetOfAccumulatorsFollows) {
  Machine machine(clockedChain(1, 1, 0, 1));
  State state(machine, layoutOf(machine));
  Accumulators shadow(machine, layoutOf(machine));
  GroupUpdate update;
  state.accumulators.deliver(0, 1, 0);
  auto difference = state.accumulators.compare(shadow);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->mine, 20);
  EXPECT_EQ(difference->others, 0);
  shadow.deliver(0, 1, 0);
  EXPECT_FALSE(state.accumulators.compare(shadow));
  updateGroup(state, 0, 2, 2, update);
  EXPECT_TRUE(state.accumulators.compare(shadow));
  shadow.discard(0, 2, 2);
  EXPECT_FALSE(state.accumulators.compare(shadow));
}

TEST(Step, EmissionsSayHowManyActiveNeuronsPrecede) {
  ProgramBuilder b(1, 1);
  b.population("a", 4, 0).binaryInput("in", 1, 0);
  b.group(0, "a", 0, 4, cuba(10));
  b.project("in", "a", {{0}, {20}, {0}, {20}}, 0, 0, /*sparse=*/true);
  Machine machine(b.build());
  State state(machine, layoutOf(machine));
  GroupUpdate update;
  state.accumulators.deliver(0, 1, 0);
  updateGroup(state, 0, 1, 1, update);
  ASSERT_EQ(update.emissions.size(), 2u);
  EXPECT_EQ(update.emissions[0].neuron, 1u);
  EXPECT_EQ(update.emissions[0].active, 1u);
  EXPECT_EQ(update.emissions[1].neuron, 3u);
  EXPECT_EQ(update.emissions[1].active, 2u);
  EXPECT_EQ(update.inactive, 2u);
}

TEST(Step, EachStateWordAndTheBiasMakeActive) {
  auto active = [](int32_t u, int32_t v, int32_t r, int32_t bias) {
    image::Cuba resting = cuba(1000, 0, 0, bias);
    resting.set_refractory(2); // else r is always 0
    Machine machine(clockedChain(1, 1, 0, 0, resting));
    State state(machine, layoutOf(machine));
    state.u[0] = u;
    state.v[0] = v;
    state.refractory[0] = r;
    GroupUpdate update;
    updateGroup(state, 0, 0, 0, update);
    return update.active;
  };
  EXPECT_EQ(active(0, 0, 0, 0), 0u);
  EXPECT_EQ(active(1, 0, 0, 0), 1u);
  EXPECT_EQ(active(0, -1, 0, 0), 1u);
  EXPECT_EQ(active(0, 0, 1, 0), 1u);
  EXPECT_EQ(active(0, 0, 0, -1), 2u); // shared by both
}

TEST(Step, AnInactiveNeuronWithANegativeThresholdStillFires) {
  Machine machine(clockedChain(1, 1, 0, 0, cuba(-5)));
  State state(machine, layoutOf(machine));
  GroupUpdate update;
  updateGroup(state, 0, 0, 0, update);
  EXPECT_EQ(update.inactive, 2u);
  EXPECT_EQ(update.emissions.size(), 2u);
}

TEST(Step, PayloadsMultiplyAndSumsAreExact) {
  ProgramBuilder b(1, 1);
  b.population("a", 2, 0).integerInput("in", 1, 0, -1000000, 1000000, 1);
  b.group(0, "a", 0, 2, cuba(2147483647));
  b.project("in", "a", {{-255}, {255}}, 0, 12);
  Machine machine(b.build());
  Accumulators accumulators(machine, layoutOf(machine));
  const int64_t each = int64_t(255) * 999999 * 4096;
  for (int i = 0; i < 1000; ++i)
    accumulators.deliver(0, 999999, 0);
  EXPECT_EQ(accumulators.sums(1)[0], -1000 * each);
  EXPECT_EQ(accumulators.sums(1)[1], 1000 * each);
  for (int i = 0; i < 1000; ++i)
    accumulators.deliver(0, -999999, 0);
  EXPECT_EQ(accumulators.sums(1)[0], 0);
  EXPECT_EQ(accumulators.marks(1)[0], 1); // zero, but something came
}

} // namespace
} // namespace dendrolith::sim
