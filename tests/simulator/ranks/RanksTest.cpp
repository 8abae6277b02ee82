// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/ranks/ and shareChips() of
// simulator/functional/machine/CoreShares.cpp.
// Several processes give the result of one, to the last byte: outputs, traces,
// spikes and counts of random networks on boards, which the naive engine has
// checked for one.

#include "simulator/Run.h"
#include "simulator/functional/machine/CoreShares.h"
#include "simulator/timing/Transfer.h"
#include "targets/support/Error.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/ThreadRanks.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace neurite::test {
namespace {

sim::RunOptions recordingAll(const image::Program &program) {
  sim::RunOptions options;
  for (const image::Population &p : program.populations())
    for (const char *state : {"", "u", "v"})
      options.traces.push_back({p.name(), state});
  options.spikes = true;
  return options;
}

using Run = std::function<sim::RunResult(const RandomProgram &,
                                         const sim::RunOptions &)>;

sim::RunResult functional(const RandomProgram &random,
                          const sim::RunOptions &options) {
  return sim::runFunctional(random.program, random.target, random.inputs,
                            options);
}

/// Each rank with two threads.
sim::RunResult functionalByTwo(const RandomProgram &random,
                               const sim::RunOptions &options) {
  return sim::FunctionalProgram(random.program, random.target, 2, options.ranks)
      .run(random.inputs, options);
}

/// The bytes of what the first of `count` ranks has.
std::string together(const Run &run, const RandomProgram &random,
                     unsigned count) {
  std::string bytes;
  onRanks(count, [&](Ranks &ranks) {
    sim::RunOptions options = recordingAll(random.program);
    options.ranks = &ranks;
    auto result = run(random, options);
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
      EXPECT_TRUE(one == together(functional, random, count)) << count;
      EXPECT_TRUE(one == together(functionalByTwo, random, count)) << count;
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
        sim::shareChips(random.program, mesh, unsigned(chips.size()));
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

TEST(Ranks, AreNotMoreThanCores) {
  RandomProgram random = randomBoard(3001);
  const auto cores = unsigned(random.program.cores_size());
  EXPECT_EQ(sim::shareChips(random.program, random.target.mesh, cores).size(),
            cores);
  try {
    sim::shareChips(random.program, random.target.mesh, cores + 1);
    FAIL();
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("at most one process for each"),
              std::string::npos);
  }
}

} // namespace
} // namespace neurite::test
