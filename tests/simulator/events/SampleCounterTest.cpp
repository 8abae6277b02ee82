// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run counts for a sample is what a run of that sample alone counts.

#include "simulator/events/SampleCounter.h"

#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"
#include "tests/simulator/RandomProgram.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

using sim::Counter;

Samples only(const Samples &all, uint64_t sample) {
  Samples one = all;
  one.samples = 1;
  const auto each = static_cast<ptrdiff_t>(all.values.size() / all.samples);
  all.values.visit([&](const auto &values) {
    const auto begin = values.begin() + each * ptrdiff_t(sample);
    one.values = std::decay_t<decltype(values)>(begin, begin + each);
  });
  return one;
}

void expectAlone(const RandomProgram &random) {
  auto together =
      sim::runFunctional(random.program, random.target, random.inputs, {});
  ASSERT_EQ(together.sampleCounts.size(), together.samples);
  sim::CoreCounts sum;
  for (uint64_t s = 0; s < together.samples; ++s) {
    std::map<std::string, Samples> inputs;
    for (const auto &[name, array] : random.inputs)
      inputs[name] = only(array, s);
    auto alone = sim::runFunctional(random.program, random.target, inputs, {});
    ASSERT_EQ(alone.sampleCounts.size(), 1u);
    sim::CoreCounts counts = alone.counts.total();
    EXPECT_EQ(counts[Counter::Resets], 1u);
    counts[Counter::Resets] = 0; // between samples
    ASSERT_TRUE(alone.sampleCounts[0] == counts) << s;
    ASSERT_TRUE(together.sampleCounts[s] == counts) << s;
    sum += counts;
  }
  sum[Counter::Resets] = together.samples;
  ASSERT_TRUE(sum == together.counts.total());
}

TEST(SampleCounter, EverySampleAsIfAlone) {
  uint64_t several = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomProgram(seed, /*multicast=*/seed % 2);
    if (seed % 3 == 0) // payloads of several flits
      random.target.mesh.flitBits = 1 + seed % 7;
    expectAlone(random);
    several += random.inputs.begin()->second.samples > 1;
  }
  EXPECT_GT(several, 50u);
}

TEST(SampleCounter, ASilentSampleCausesUpdatesOnly) {
  ProgramBuilder b(1, 2);
  b.binaryInput("in", 1, 0).population("p", 3, 1);
  b.group(0, "p", 0, 3, cuba(60)).project("in", "p", {{100}, {100}, {100}});
  auto result = sim::runFunctional(
      b.build(), mesh(1, 1), {{"in", samples({{{1}}, {{0}}, {{1}}})}}, {});
  ASSERT_EQ(result.sampleCounts.size(), 3u);
  for (int s : {0, 2}) {
    EXPECT_EQ(result.sampleCounts[size_t(s)][Counter::SynopsDense], 3u);
    EXPECT_EQ(result.sampleCounts[size_t(s)][Counter::SpikesBinary], 3u);
    EXPECT_EQ(result.sampleCounts[size_t(s)][Counter::UpdatesActive], 3u);
  }
  sim::CoreCounts silent;
  silent[Counter::Steps] = silent[Counter::Barriers] = 2;
  silent[Counter::Tokens] = 1;
  silent[Counter::UpdatesInactive] = 3;
  EXPECT_TRUE(result.sampleCounts[1] == silent);
}

} // namespace
} // namespace dendrolith::test
