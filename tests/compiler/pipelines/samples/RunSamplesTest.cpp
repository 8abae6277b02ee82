// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/samples/RunSamples.cpp, runtime/host/Workers.h.
// Does every sample run once, whatever the number of threads, and is the error
// that of the first sample?

#include "compiler/pipelines/samples/RunSamples.h"
#include "runtime/host/Workers.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <stdexcept>

namespace dendrolith {
namespace {

/// A potential that sums up its input, within a sample or for ever.
std::string summingNetwork(const std::string &reset) {
  const std::string t = "!dend.fx<24, 0>";
  return "dend.network @n { dend.clock @t dend.input @x on @t : tensor<1xf64> "
         "as !dend.spike<int, -9, 9> dend.neuron @m ports(%I : " +
         t + ") states(%v : " + t + " reset " + reset +
         ") outputs(s : !dend.spike<int, -1, 1>) { %w = dend.add %v, %I : (" +
         t + ", " + t + ") -> " + t +
         " %z = dend.literal 0 : i32 as i32 dend.yield states(%w : " + t +
         ") emit(%z : i32) } dend.constant @W : tensor<1x1xi8> = dense<1> : "
         "tensor<1x1xi8> dend.population @a : @m[1] on @t dend.project @x -> "
         "@a[\"I\"] #dend.dense weight @W }";
}

struct Seen {
  std::multiset<uint64_t> ticks;
  int64_t sum = 0; // of all old states
};

/// What each thread saw of samples of three ticks.
std::deque<Seen> run(const std::string &reset,
                     const std::vector<double> &values, unsigned threads,
                     uint64_t most = UINT64_MAX) {
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(summingNetwork(reset), &context);
  Samples x;
  x.samples = values.size() / 3;
  x.steps = 3;
  x.shape = {1};
  x.values = values;
  std::deque<Seen> all;
  const std::map<std::string, Samples> inputs = {{"x", x}};
  auto done = runSamples(
      {*module->getOps<dend::NetworkOp>().begin(), {}, inputs, most, threads},
      [&](const SampleClock &clock) -> dend::Observer {
        EXPECT_EQ(clock.samples, std::min<uint64_t>(values.size() / 3, most));
        EXPECT_EQ(clock.ticks, 3u);
        Seen &seen = all.emplace_back();
        return [&](const dend::Update &update) {
          seen.ticks.insert(clock.now);
          dend::NeuronOp model = update.model;
          seen.sum += update.frame[model.getStateArgs()[0]].raw.front();
        };
      });
  EXPECT_TRUE(mlir::succeeded(done));
  return all;
}

// A potential is 0, a, a + b before the updates of a sample a, b, c.
const std::vector<double> kValues = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 0, 0};

TEST(RunSamples, EachRunsOnceOnAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 3u, 9u}) {
    std::multiset<uint64_t> ticks;
    int64_t sum = 0;
    const std::deque<Seen> seen = run("sample", kValues, threads);
    EXPECT_EQ(seen.size(), std::min(threads, 4u));
    for (const Seen &one : seen) {
      ticks.insert(one.ticks.begin(), one.ticks.end());
      sum += one.sum;
    }
    EXPECT_EQ(ticks,
              (std::multiset<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(sum, (1 + 3) + (4 + 9) + (7 + 15) + (1 + 1));
  }
}

TEST(RunSamples, StateThatOutlivesASampleKeepsThemInOrder) {
  const std::deque<Seen> seen = run("never", kValues, 3);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen.front().sum,
            0 + 1 + 3 + 6 + 10 + 15 + 21 + 28 + 36 + 45 + 46 + 46);
}

TEST(RunSamples, NoMoreThanTheFirstOnes) {
  uint64_t ticks = 0;
  for (const Seen &one : run("sample", kValues, 2, 3))
    ticks += one.ticks.size();
  EXPECT_EQ(ticks, 9u);
}

TEST(RunSamples, TheErrorIsThatOfTheFirstSample) {
  std::vector<double> values = kValues;
  values[4] = 100; // beyond the input's range, in sample 1
  values[7] = 200; // and in sample 2
  for (unsigned threads : {1u, 2u, 3u})
    try {
      run("sample", values, threads);
      ADD_FAILURE();
    } catch (const std::invalid_argument &error) {
      EXPECT_NE(std::string(error.what()).find("100"), std::string::npos)
          << error.what();
    }
}

TEST(Processors, AsManyAsAskedForButNotMoreThanThereIsWork) {
  EXPECT_EQ(workersFor(3, 10), 3u);
  EXPECT_EQ(workersFor(3, 2), 2u);
  EXPECT_EQ(workersFor(3, 0), 1u);
  EXPECT_GE(workersFor(0, 10), 1u);
}

} // namespace
} // namespace dendrolith
