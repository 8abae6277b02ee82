// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/emit/EmitProgram.cpp, simulator/FunctionalEngine.cpp,
// targets/mesh/FlitMesh.cpp.
// How fast compiler, engines and mesh are, as ratios to a named baseline
// measured in the same run. `build/bin/dendrolith-bench`; take the best of
// several runs.

#include "compiler/emit/EmitProgram.h"
#include "compiler/lowering/Passes.h"
#include "compiler/transforms/Passes.h"
#include "dialects/dend/reference/Interpreter.h"
#include "simulator/Run.h"
#include "tests/bench/MicrocodeBench.h"
#include "tests/compiler/emit/DenseNetwork.h"
#include "tests/targets/mesh/Traffic.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <queue>
#include <random>

namespace {

using namespace dendrolith;

constexpr uint32_t kNeurons = 512, kSources = 256, kTicks = 512;

/// Text to integer network and program image for a target.
struct Compiled {
  Compiled(const std::string &text, const std::string &target) {
    context.loadDialect<dend::DendDialect, chip::ChipDialect>();
    fixed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    mlir::PassManager front(&context), back(&context);
    front.addNestedPass<dend::NetworkOp>(createDendQuantise({target}));
    front.addNestedPass<dend::NetworkOp>(createDendSelectEngine({target}));
    front.addNestedPass<dend::NetworkOp>(createDendSchedule({target}));
    DendToChipOptions lowering;
    lowering.target = target;
    back.addPass(createDendToChip(lowering));
    if (!fixed || failed(front.run(*fixed)))
      throw Error("the benchmark's network does not compile");
    mlir::OwningOpRef<mlir::ModuleOp> chip(fixed->clone());
    if (failed(back.run(*chip)))
      throw Error("the benchmark's network does not map");
    auto images = chip->getOps<chip::ProgramImageOp>();
    program = *emitProgram(*images.begin(), Target::load(target));
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> fixed;
  image::Program program;
};

/// A dense layer on two cores of loihi1, one in ten inputs active per tick.
struct Layer : Compiled {
  Layer() : Compiled(test::denseNetwork(kSources, kNeurons), "loihi1") {
    for (uint32_t s = 0; s < kSources; ++s)
      for (uint32_t n = 0; n < kNeurons; ++n)
        weights.push_back(int16_t(test::denseMantissa(n * kSources + s)));
    std::mt19937 random(1);
    x.samples = 1;
    x.steps = kTicks;
    x.shape = {kSources};
    std::vector<uint8_t> values(size_t(kTicks) * kSources);
    for (uint8_t &value : values) {
      value = random() % 10 == 0;
      synops += value != 0 ? kNeurons : 0;
    }
    x.values = std::move(values);
    inputs["x"] = x;
    auto run = sim::runFunctional(program, target, inputs, {});
    for (double spike : run.outputs[0].values)
      spikes += spike;
  }

  Target target = Target::load("loihi1");
  std::vector<int16_t> weights; // by source
  Samples x;
  std::map<std::string, Samples> inputs;
  uint64_t synops = 0; // of all ticks
  double spikes = 0;
};

const Layer &layer() {
  static const Layer instance;
  return instance;
}

/// Best of five.
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

/// The baseline: add one weight per synapse of each active source, no neurons,
/// no counts, no cores.
void scatter() {
  std::vector<int32_t> sums(kNeurons);
  for (uint32_t t = 0; t < kTicks; ++t)
    for (uint32_t s = 0; s < kSources; ++s)
      if (layer().x.at(0, t, s) != 0)
        for (uint32_t n = 0; n < kNeurons; ++n)
          sums[n] += layer().weights[s * kNeurons + n];
  benchmark::DoNotOptimize(sums.data());
}

void functional() {
  benchmark::DoNotOptimize(
      sim::runFunctional(layer().program, layer().target, layer().inputs, {}));
}

/// In its forked worker, start-up included.
void cycle() {
  benchmark::DoNotOptimize(
      sim::runCycle(layer().program, layer().target, layer().inputs, {}));
}

/// The interpreter on the same integers; it is made once.
void reference() {
  static auto interpreter = *dend::Interpreter::create(
      *mlir::ModuleOp(layer().fixed.get()).getOps<dend::NetworkOp>().begin());
  interpreter->reset();
  double spikes = 0;
  for (uint32_t t = 0; t < kTicks; ++t) {
    std::vector<double> now(kSources);
    for (uint32_t s = 0; s < kSources; ++s)
      now[s] = layer().x.at(0, t, s);
    interpreter->tick({{"x", now}});
    for (double spike : interpreter->output("y"))
      spikes += spike;
  }
  if (spikes != layer().spikes)
    throw Error("the reference's spikes are not the functional engine's");
}

void measure(benchmark::State &state, void (*work)(), const char *baseline,
             void (*base)()) {
  layer(); // not part of the time
  for (auto _ : state)
    work();
  double seconds = secondsOf(work);
  state.counters["synops/s"] = double(layer().synops) / seconds;
  if (base)
    state.counters[std::string("slower_than_") + baseline] =
        seconds / secondsOf(base);
}

/// LIF neurons that one input drives in every step, in the whole functional
/// engine, beside the plain loop with the same sums, states and spikes.
void functionalLif(benchmark::State &state) {
  constexpr uint32_t neurons = 8192, ticks = 100;
  std::string weights, size = std::to_string(neurons);
  for (uint32_t n = 0; n < neurons; ++n)
    weights += (n ? ", [" : "[") + std::to_string(n % 120 + 5) + "]";
  Compiled lif("dend.network @n {\n dend.clock @t\n dend.input @x on @t : "
               "tensor<1xf64> as !dend.spike<binary>\n" +
                   std::string(test::kLifModel) +
                   " dend.constant @keep : tensor<i16> = dense<3686> : "
                   "tensor<i16>\n dend.constant @theta : tensor<i32> = "
                   "dense<2000> : tensor<i32>\n dend.constant @W : tensor<" +
                   size + "x1xi8> = dense<[" + weights + "]> : tensor<" + size +
                   "x1xi8>\n dend.population @a : @lif[" + size +
                   "] on @t bind {keep = @keep, theta = @theta}\n dend.project "
                   "@x -> @a[\"I\"] #dend.dense weight @W delay 0 shift 2\n}",
               "loihi2");
  Target target = Target::load("loihi2");
  Samples x;
  x.samples = 1;
  x.steps = ticks;
  x.shape = {1};
  x.values = std::vector<double>(ticks, 1);
  std::map<std::string, Samples> inputs{{"x", x}};
  uint64_t expected = 0;
  auto plain = [&] {
    std::vector<int32_t> v(neurons), current(neurons);
    std::vector<uint32_t> spikes;
    uint64_t all = 0;
    for (uint32_t t = 0; t < ticks; ++t) {
      for (uint32_t n = 0; n < neurons; ++n)
        current[n] += int32_t(n % 120 + 5) << 2;
      spikes.clear();
      for (uint32_t n = 0; n < neurons; ++n) {
        int64_t next = (int64_t(v[n]) * 3686 >> 12) + current[n];
        next = ((next + (1 << 23)) & 0xffffff) - (1 << 23);
        current[n] = 0;
        bool spike = next > 2000;
        v[n] = spike ? 0 : int32_t(next);
        if (spike)
          spikes.push_back(n);
      }
      all += spikes.size();
    }
    expected = all;
    benchmark::DoNotOptimize(v.data());
  };
  uint64_t found = 0;
  auto engine = [&] {
    auto result = sim::runFunctional(lif.program, target, inputs, {});
    found = result.counts.total()[sim::Counter::SpikesBinary];
  };
  for (auto _ : state)
    engine();
  double seconds = secondsOf(engine), base = secondsOf(plain);
  if (found != expected)
    state.SkipWithError("the plain loop gives other spikes");
  state.counters["updates/s"] = double(neurons) * ticks / seconds;
  state.counters["slower_than_plain_C++"] = seconds / base;
}

/// Uniform random traffic on 8 x 8 tiles; returns the links travelled.
uint64_t travel() {
  test::Traffic traffic(test::clockedMesh(8), 8, 8);
  test::addBernoulli(traffic, 64, 0.05, 2000, 1,
                     [](uint32_t, auto &random) { return random() >> 58; });
  traffic.runUntil(never);
  return traffic.hopsEw + traffic.hopsNs;
}

/// The baseline: one event per link in a binary heap, 64 at a time.
void heap(uint64_t events) {
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> queue;
  for (uint64_t i = 0; i < 64; ++i)
    queue.push(i);
  for (uint64_t i = 0; i < events; ++i) {
    uint64_t time = queue.top();
    queue.pop();
    queue.push(time + 3000 + i % 7);
  }
  benchmark::DoNotOptimize(queue.top());
}

void meshHops(benchmark::State &state) {
  uint64_t hops = 0;
  for (auto _ : state)
    hops = travel();
  double seconds = secondsOf([] { travel(); });
  state.counters["hops/s"] = double(hops) / seconds;
  state.counters["slower_than_heap_event_per_hop"] =
      seconds / secondsOf([&] { heap(hops); });
}

/// Text to image on `ideal`; the baseline only reads the text.
void compileMillionSynapses(benchmark::State &state) {
  const std::string text = test::denseNetwork(1000, 1000);
  auto compile = [&] { Compiled(text, "ideal"); };
  for (auto _ : state)
    compile();
  double seconds = secondsOf(compile);
  state.counters["synapses/s"] = 1e6 / seconds;
  state.counters["slower_than_parse"] =
      seconds / secondsOf([&] {
        mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
        context.loadDialect<dend::DendDialect>();
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
      });
}

} // namespace

int main(int argc, char **argv) {
  // Not BENCHMARK_MAIN: SystemC's library has a `main` of its own.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  auto add = [](const char *name, auto... arguments) {
    benchmark::RegisterBenchmark(name, measure, arguments...)
        ->Unit(benchmark::kMillisecond);
  };
  add("plainScatter", scatter, "", nullptr);
  add("functionalEngine/plainScatter", functional, "plainScatter", scatter);
  add("cycleEngine/plainScatter", cycle, "plainScatter", scatter);
  add("referenceInterpreter/functionalEngine", reference, "functionalEngine",
      functional);
  benchmark::RegisterBenchmark("meshHops/heap", meshHops)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("compileMillionSynapses/parse",
                               compileMillionSynapses)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("functionalEngineLif/plainLoop", functionalLif)
      ->Unit(benchmark::kMillisecond);
  test::registerMicrocodeBenchmarks();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
