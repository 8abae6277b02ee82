// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/ranks/ and shareChips() of
// simulator/functional/machine/CoreShares.cpp.
// Several processes give the result of one, to the last byte: outputs, traces,
// spikes and counts of random networks on boards, which the naive engine has
// checked for one.

#include "simulator/Run.h"
#include "simulator/events/StepLimits.h"
#include "simulator/timing/workers/Transfer.h"
#include "targets/support/Error.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/ThreadRanks.h"

#include <gtest/gtest.h>

#include <set>

namespace dendrolith::test {
namespace {

sim::RunOptions recordingAll(const image::Program &program) {
  sim::RunOptions options;
  for (const image::Population &p : program.populations())
    for (const char *state : {"", "u", "v"})
      options.traces.push_back({p.name(), state});
  options.spikes = true;
  return options;
}

sim::RunResult functional(const RandomProgram &random,
                          const sim::RunOptions &options) {
  return sim::runFunctional(random.program, random.target, random.inputs,
                            options);
}

/// The bytes of what the first of `count` ranks has, each with so many threads
/// and no synapses but those of its own cores.
std::string together(const RandomProgram &random, unsigned count,
                     unsigned threads) {
  std::string bytes;
  onRanks(count, [&](Ranks &ranks) {
    sim::RunOptions options = recordingAll(random.program);
    options.ranks = &ranks;
    options.rankCores = dealt(random.program, random.target, count);
    const sim::CoreShare own = options.rankCores[ranks.rank()];
    image::Program part = partOf(random.program, random.target, own);
    const auto result =
        sim::FunctionalProgram(&part, random.target, threads, own)
            .run(random.inputs, options);
    if (ranks.first())
      bytes = sim::toBytes(result);
    else
      EXPECT_TRUE(result.outputs.empty());
  });
  return bytes;
}

TEST(Ranks, DoNotShowInAResult) {
  size_t several = 0;
  for (uint32_t seed = 3000; seed < 3120; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random = randomBoard(seed, /*multicast=*/seed % 4 == 3);
    const std::string one =
        sim::toBytes(functional(random, recordingAll(random.program)));
    const auto cores = unsigned(random.program.cores_size());
    for (unsigned count = 1; count <= std::min(cores, 4u); ++count) {
      several += count > 1;
      EXPECT_TRUE(one == together(random, count, 1)) << count;
      EXPECT_TRUE(one == together(random, count, 2)) << count;
    }
  }
  EXPECT_GT(several, 100u);
}

TEST(Ranks, OwnWholeChipsWhereThereAreAsMany) {
  size_t whole = 0;
  for (uint32_t seed = 3000; seed < 3200; ++seed) {
    RandomProgram random = randomBoard(seed);
    const Mesh &mesh = random.target.mesh;
    std::set<uint64_t> chips;
    const auto chipOf = [&](uint32_t core) {
      return mesh.chipOf(random.program.cores(int(core)).id() /
                         mesh.coresPerTile);
    };
    for (uint32_t c = 0; c < uint32_t(random.program.cores_size()); ++c)
      chips.insert(chipOf(c));
    const auto shares =
        dealt(random.program, random.target, unsigned(chips.size()));
    ASSERT_EQ(shares.size(), chips.size());
    for (const sim::CoreShare &share : shares) {
      ASSERT_LT(share.first, share.end);
      EXPECT_EQ(chipOf(share.first), chipOf(share.end - 1));
    }
    EXPECT_EQ(shares.back().end, uint32_t(random.program.cores_size()));
    whole += chips.size() > 1;
  }
  EXPECT_GT(whole, 20u);
}

// Chips that are nearly equal are dealt evenly.
TEST(Ranks, AreNearTheirPartOfTheWork) {
  Mesh mesh;
  mesh.tilesX = 4;
  mesh.chipsX = 4;
  const auto shares =
      sim::shareChips({{0, 99}, {1, 100}, {2, 101}, {3, 102}}, mesh, 2);
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[0].end, 2u);
  EXPECT_EQ(shares[1].end, 4u);
}

TEST(Ranks, AreNotMoreThanCores) {
  RandomProgram random = randomBoard(3001);
  const auto cores = unsigned(random.program.cores_size());
  EXPECT_EQ(dealt(random.program, random.target, cores).size(), cores);
  try {
    dealt(random.program, random.target, cores + 1);
    FAIL();
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("at most one process for each"),
              std::string::npos);
  }
}

} // namespace
} // namespace dendrolith::test
