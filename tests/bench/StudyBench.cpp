// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/functional/rows/Rows.cpp.
// The functional engine on a study network, and what bounds it: the same
// synapses in a plain loop, and the machine's memory. The network is the file
// that DENDROLITH_STUDY names, else one of 1,000 neurons; study.py runs all
// sizes beside the numpy reference.

#include "compiler/import/study/Generate.h"
#include "compiler/pipelines/Compile.h"
#include "runtime/host/Files.h"
#include "runtime/host/Workers.h"
#include "simulator/Run.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace dendrolith;

/// Network, input and spikes from one file, compiled for loihi1-study.
struct Study {
  Study() {
    const char *given = std::getenv("DENDROLITH_STUDY");
    std::string prefix = std::filesystem::temp_directory_path() /
                         ("dendrolith-bench-" + std::to_string(getpid()));
    std::string path = given ? given : prefix + ".npz";
    if (!given)
      study::write(study::generate({}), {}, prefix);
    std::string bytes = readFile(path, uint64_t(1) << 32);
    network = study::readNetwork(bytes, path);
    stimulus = study::readStimulus(bytes, path);
    Compilation compilation(path);
    CompileOptions options;
    options.target = "loihi1-study";
    compilation.quantise(options);
    compilation.lower(options);
    target = Target::load(options.target);
    image::Program program = compilation.emit();
    shared = std::make_unique<sim::FunctionalProgram>(
        std::as_const(program), target, workersFor(0, UINT64_MAX));
    engine = std::make_unique<sim::FunctionalProgram>(&program, target);
    Samples &samples = inputs["in"];
    samples.samples = 1;
    samples.steps = stimulus.steps;
    samples.shape = {stimulus.inputs};
    std::vector<uint8_t> values(stimulus.steps * stimulus.inputs);
    for (size_t i = 0; i < stimulus.in.size(); ++i)
      values[size_t(stimulus.in.step[i] - 1) * stimulus.inputs +
             size_t(stimulus.in.id[i])] = 1;
    samples.values = std::move(values);
    if (!given)
      for (const char *ending : {".npz", ".json"})
        std::filesystem::remove(prefix + ending);
  }

  /// Synapses that a spike reaches, over all spikes.
  uint64_t synops() const {
    uint64_t sum = 0;
    auto add = [&](uint32_t s) {
      sum += uint64_t(network.begin[s + 1] - network.begin[s]);
    };
    for (int32_t id : stimulus.in.id)
      add(uint32_t(id));
    for (int32_t id : stimulus.expected.id)
      add(network.inputs + uint32_t(id));
    return sum;
  }

  study::Network network;
  study::Stimulus stimulus;
  Target target;
  std::unique_ptr<sim::FunctionalProgram> engine;
  std::unique_ptr<sim::FunctionalProgram> shared; // a thread for each processor
  std::map<std::string, Samples> inputs;
};

Study &study() {
  static Study one;
  return one;
}

/// An engine with every count, as `dendrolith run` has it.
void runStudy(const sim::FunctionalProgram &engine, benchmark::State &state) {
  Study &s = study();
  uint64_t messages = 0;
  for (auto _ : state) {
    sim::RunResult result = engine.run(s.inputs, {});
    if (result.counts.total()[sim::Counter::SpikesBinary] !=
        s.stimulus.expected.size())
      state.SkipWithError("the engine gives other spikes than the file");
    messages = result.counts.total()[sim::Counter::Messages];
  }
  using benchmark::Counter;
  state.counters["synops/s"] =
      Counter(double(s.synops()), Counter::kIsIterationInvariantRate);
  state.counters["messages/s"] =
      Counter(double(messages), Counter::kIsIterationInvariantRate);
  state.counters["bytes/synapse"] =
      double(engine.synapseBytes()) / double(s.network.target.size());
}
void functionalStudy(benchmark::State &state) {
  runStudy(*study().engine, state);
}
void functionalShared(benchmark::State &state) {
  runStudy(*study().shared, state);
}
BENCHMARK(functionalShared)
    ->Name("study/functional, all processors")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(functionalStudy)
    ->Name("study/functional")
    ->Unit(benchmark::kMillisecond);

/// Targets and weights of the spikes that the file has, added in a plain loop:
/// no neurons, no counts.
void scatterSpikes(benchmark::State &state) {
  Study &s = study();
  std::vector<int32_t> sum(s.network.neurons);
  auto add = [&](uint32_t source) {
    for (int64_t k = s.network.begin[source]; k < s.network.begin[source + 1];
         ++k)
      sum[size_t(s.network.target[k])] += s.network.weight[k];
  };
  for (auto _ : state) {
    for (int32_t id : s.stimulus.in.id)
      add(uint32_t(id));
    for (int32_t id : s.stimulus.expected.id)
      add(s.network.inputs + uint32_t(id));
    benchmark::DoNotOptimize(sum.data());
  }
  state.counters["synops/s"] = benchmark::Counter(
      double(s.synops()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(scatterSpikes)->Name("study/scatter")->Unit(benchmark::kMillisecond);

/// Several times what caches hold, rows as long as those of a study network.
constexpr size_t kMemory = size_t(256) << 20, kRow = 400; // bytes

void copy(benchmark::State &state) {
  std::vector<char> from(kMemory, 1), to(kMemory);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), kMemory);
    benchmark::DoNotOptimize(to.data());
  }
  state.counters["bytes/s"] = benchmark::Counter(
      double(kMemory), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(copy)->Name("memory/copy")->Unit(benchmark::kMillisecond);

/// Rows of 100 words at random places, of which a byte of each line of the
/// cache is looked at: that brings all of them, and to add up or to copy each
/// word would take longer than memory does.
void randomRows(benchmark::State &state) {
  constexpr size_t line = 64;
  std::vector<uint8_t> memory(kMemory, 1);
  const size_t rows = kMemory / kRow;
  uint64_t sum = 0, place = 1;
  for (auto _ : state)
    for (size_t r = 0; r < rows; ++r) {
      place = place * 6364136223846793005 + 1442695040888963407;
      const uint8_t *row = memory.data() + (place >> 33) % rows * kRow;
      for (size_t k = 0; k < kRow; k += line)
        sum += row[k];
      sum += row[kRow - 1];
    }
  benchmark::DoNotOptimize(sum);
  state.counters["bytes/s"] = benchmark::Counter(
      double(rows * kRow), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(randomRows)->Name("memory/rows")->Unit(benchmark::kMillisecond);

} // namespace
