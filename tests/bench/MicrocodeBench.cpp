// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/functional/neuron/MicroKernels.cpp,
// runtime/session/native/NativePrograms.cpp. Programs against the loops that a
// person would write for the same neuron.

#include "tests/bench/MicrocodeBench.h"

#include "runtime/session/native/NativePrograms.h"
#include "simulator/functional/neuron/Compiled.h"
#include "tests/compiler/lowering/Body.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <random>
#include <stdexcept>

namespace dendrolith::test {

const char *const kLifModel = R"(
  dend.neuron @lif ports(%I : !dend.fx<24, 0>)
      params(%keep : !dend.fx<16, -12>, %theta : !dend.fx<24, 0>)
      states(%v : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %p = dend.mul %v, %keep : (!dend.fx<24, 0>, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %q = dend.rescale %p round floor overflow wrap : (!dend.fx<40, -12>) -> !dend.fx<24, 0>
    %v1 = dend.add %q, %I : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %s, %v2 = dend.fire %v1, %theta reset value : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)
    dend.yield states(%v2 : !dend.fx<24, 0>) emit(%s : i1)
  })";

namespace {

constexpr uint32_t kNeurons = 8192;
constexpr int kTicks = 50;

/// 32 words of state and parameters: a line of 16 inputs and 16 weights.
const char *const kLine = R"(
  dend.neuron @line ports(%I : !dend.fx<16, 0>)
      params(%h : tensor<16x!dend.fx<8, -7>> per_neuron, %theta : !dend.fx<24, -7>)
      states(%x : tensor<16x!dend.fx<16, 0>> reset sample)
      outputs(s : !dend.spike<binary>) {
    %old = dend.slice %x[0, 15] : (tensor<16x!dend.fx<16, 0>>) -> tensor<15x!dend.fx<16, 0>>
    %next = dend.concat %I, %old : (!dend.fx<16, 0>, tensor<15x!dend.fx<16, 0>>) -> tensor<16x!dend.fx<16, 0>>
    %y = dend.dot %next, %h : (tensor<16x!dend.fx<16, 0>>, tensor<16x!dend.fx<8, -7>>) -> !dend.fx<24, -7>
    %s = dend.cmp gt %y, %theta : (!dend.fx<24, -7>, !dend.fx<24, -7>) -> i1
    dend.yield states(%next : tensor<16x!dend.fx<16, 0>>) emit(%s : i1)
  })";

int64_t wrap24(int64_t x) { return ((x + (1 << 23)) & 0xffffff) - (1 << 23); }

/// A group that runs a program, with the input of every tick.
struct Bench {
  Bench(const char *text, const std::vector<std::vector<int64_t>> &params)
      : body(text) {
    if (!body.ok)
      throw std::runtime_error(body.errors);
    for (const std::vector<int64_t> &words : params)
      group.add_params(micro::encodeI64(words));
    for (int s = 0; s < body.program.states_size(); ++s)
      group.add_initial();
    program =
        std::make_unique<sim::MicroProgram>(body.program, group, kNeurons);
    compiled = nativePrograms()->compile(*program);
    if (!compiled)
      throw std::runtime_error("no machine code");
    std::mt19937 random(1);
    for (int64_t &x : input)
      x = int64_t(random() % 500);
  }

  /// Emissions of all ticks, of the interpreter or of machine code.
  uint64_t run(bool jit) {
    std::vector<int64_t> states(program->stateWords() * program->row());
    uint64_t emissions = 0;
    for (int t = 0; t < kTicks; ++t) {
      const int64_t *now = input.data() + size_t(t) * kNeurons;
      if (jit)
        program->run(*compiled, now, states.data(), nullptr, visit,
                     /*parts=*/false);
      else
        program->run(now, states.data(), nullptr, visit, /*parts=*/false);
      emissions += visit.emissions.size();
    }
    return emissions;
  }

  Body body;
  image::Microcode group;
  std::unique_ptr<sim::MicroProgram> program;
  std::shared_ptr<const sim::CompiledProgram> compiled;
  sim::MicroVisit visit;
  std::vector<int64_t> input = std::vector<int64_t>(size_t(kTicks) * kNeurons);
};

constexpr int64_t kKeep = 3686, kTheta = 2000, kLineTheta = 100000;

uint64_t plainLif(const std::vector<int64_t> &input) {
  std::vector<int32_t> v(kNeurons);
  std::vector<uint32_t> spikes;
  uint64_t all = 0;
  for (int t = 0; t < kTicks; ++t) {
    spikes.clear();
    const int64_t *now = input.data() + size_t(t) * kNeurons;
    for (uint32_t n = 0; n < kNeurons; ++n) {
      int64_t next = wrap24((int64_t(v[n]) * kKeep >> 12) + now[n]);
      bool spike = next > kTheta;
      v[n] = spike ? 0 : int32_t(next);
      if (spike)
        spikes.push_back(n);
    }
    all += spikes.size();
  }
  return all;
}

uint64_t plainLine(const std::vector<int64_t> &input,
                   const std::vector<int64_t> &weights) {
  std::vector<int32_t> x(size_t(kNeurons) * 16);
  std::vector<uint32_t> spikes;
  uint64_t all = 0;
  for (int t = 0; t < kTicks; ++t) {
    spikes.clear();
    const int64_t *now = input.data() + size_t(t) * kNeurons;
    for (uint32_t n = 0; n < kNeurons; ++n) {
      int32_t *line = x.data() + size_t(n) * 16;
      for (int k = 15; k > 0; --k)
        line[k] = line[k - 1];
      line[0] = int32_t(now[n]);
      int64_t sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += int64_t(line[k]) * weights[size_t(n) * 16 + size_t(k)];
      if (wrap24(sum) > kLineTheta)
        spikes.push_back(n);
    }
    all += spikes.size();
  }
  return all;
}

template <typename Work> double secondsOf(Work work) {
  double best = 1e9;
  for (int i = 0; i < 7; ++i) {
    auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(work());
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

template <typename Plain>
void measure(benchmark::State &state, Bench &bench, Plain plain) {
  const uint64_t spikes = plain();
  if (bench.run(false) != spikes || bench.run(true) != spikes) {
    state.SkipWithError("the plain loop gives other spikes");
    return;
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(bench.run(true));
  const double code = secondsOf([&] { return bench.run(true); }),
               interpreted = secondsOf([&] { return bench.run(false); }),
               loop = secondsOf(plain);
  state.counters["updates/s"] = double(kNeurons) * kTicks / code;
  state.counters["interpreter/plain_C++"] = interpreted / loop;
  state.counters["jit/plain_C++"] = code / loop;
  state.counters["interpreter/jit"] = interpreted / code;
}

} // namespace

void registerMicrocodeBenchmarks() {
  benchmark::RegisterBenchmark("microcodeLif/plainLoop", [](benchmark::State
                                                                &state) {
    Bench bench(kLifModel, {{kKeep}, {kTheta}});
    measure(state, bench, [&] { return plainLif(bench.input); });
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("microcodeLine32/plainLoop", [](benchmark::State
                                                                   &state) {
    std::vector<int64_t> weights;
    for (uint32_t i = 0; i < kNeurons * 16; ++i)
      weights.push_back(int64_t(i * 37 % 101) - 50);
    Bench bench(kLine, {weights, {kLineTheta}});
    measure(state, bench, [&] { return plainLine(bench.input, weights); });
  })->Unit(benchmark::kMillisecond);
}

} // namespace dendrolith::test
