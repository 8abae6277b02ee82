// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the engines are, as ratios to a named baseline measured in the same
// run. `build/bin/neurite-bench`; take the best of several runs.

#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

namespace {

using namespace neurite;

constexpr uint64_t kNeurons = 512, kSources = 256, kTicks = 64;

/// A dense layer of kNeurons on two cores driven by kSources inputs, one in ten
/// active per tick.
struct Layer {
  image::Program program;
  std::map<std::string, Samples> inputs;
  std::vector<int16_t> weights; // by source
  uint64_t events = 0;          // active inputs of all ticks
  Target target = Target::load("loihi1");

  Layer() {
    std::mt19937 random(1);
    test::ProgramBuilder builder(1, 2);
    builder.population("n", kNeurons, 1).binaryInput("x", kSources, 0);
    for (uint32_t half = 0; half < 2; ++half)
      builder.group(half, "n", half * kNeurons / 2, kNeurons / 2,
                    test::cuba(1 << 20, 1000, 500));
    test::Matrix matrix(kNeurons, std::vector<int>(kSources));
    for (auto &row : matrix)
      for (int &weight : row)
        weight = int(random() % 255) - 127;
    builder.project("x", "n", matrix);
    for (uint64_t s = 0; s < kSources; ++s)
      for (uint64_t n = 0; n < kNeurons; ++n)
        weights.push_back(int16_t(matrix[n][s]));
    builder.output("y", "n", image::Output::SPIKES);
    program = builder.build();
    Samples samples;
    samples.samples = 1;
    samples.steps = kTicks;
    samples.shape = {kSources};
    for (uint64_t i = 0; i < kTicks * kSources; ++i) {
      samples.values.push_back(random() % 10 == 0);
      events += samples.values.back() != 0;
    }
    inputs["x"] = std::move(samples);
  }
};

const Layer &layer() {
  static const Layer instance;
  return instance;
}

/// The baseline: add one weight per synapse of each active source, no neurons,
/// no counts, no cores.
void scatter(std::vector<int32_t> &sums) {
  const Samples &x = layer().inputs.at("x");
  for (uint64_t t = 0; t < kTicks; ++t)
    for (uint64_t s = 0; s < kSources; ++s)
      if (x.step(0, t)[s] != 0)
        for (uint64_t n = 0; n < kNeurons; ++n)
          sums[n] += layer().weights[s * kNeurons + n];
}

double secondsOf(const std::function<void()> &work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(
                              std::chrono::steady_clock::now() - start)
                              .count());
  }
  return best;
}

double scatterSeconds() {
  static const double seconds = secondsOf([] {
    std::vector<int32_t> sums(kNeurons);
    scatter(sums);
    benchmark::DoNotOptimize(sums.data());
  });
  return seconds;
}

void setCounters(benchmark::State &state, double seconds) {
  double synops = double(layer().events * kNeurons);
  state.counters["Msynops/s"] = synops / seconds / 1e6;
  state.counters["slower_than_plain_scatter"] = seconds / scatterSeconds();
}

void plainScatter(benchmark::State &state) {
  std::vector<int32_t> sums(kNeurons);
  for (auto _ : state) {
    scatter(sums);
    benchmark::DoNotOptimize(sums.data());
  }
  setCounters(state, scatterSeconds());
}
BENCHMARK(plainScatter);

void functionalEngine(benchmark::State &state) {
  auto run = [] {
    benchmark::DoNotOptimize(sim::runFunctional(layer().program, layer().target,
                                                layer().inputs, {}));
  };
  for (auto _ : state)
    run();
  setCounters(state, secondsOf(run));
}
BENCHMARK(functionalEngine)->Unit(benchmark::kMillisecond);

/// In its forked worker, start-up included.
void cycleEngine(benchmark::State &state) {
  auto run = [] {
    benchmark::DoNotOptimize(
        sim::runCycle(layer().program, layer().target, layer().inputs, {}));
  };
  for (auto _ : state)
    run();
  double seconds = secondsOf(run);
  setCounters(state, seconds);
  state.counters["Mmessages/s"] = double(layer().events * 2) / seconds / 1e6;
}
BENCHMARK(cycleEngine)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv) {
  // Not BENCHMARK_MAIN: SystemC's library has a `main` of its own.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
