// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/Compile.cpp, simulator/FunctionalEngine.cpp,
// simulator/timing/CycleEngine.cpp.
// The whole compiler and all engines over random networks: the reference
// interpreter on the integer network, the functional engine, the SystemC engine
// and the naive counter agree to the bit.

#include "compiler/transforms/Passes.h"
#include "runtime/image/Tables.h"
#include "runtime/session/RunInterpreter.h"
#include "tests/agreement/RandomNetwork.h"
#include "tests/simulator/NaiveCounter.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace dendrolith::test {
namespace {

/// A file in the temporary folder, removed at the end.
class TemporaryFile {
public:
  TemporaryFile(const std::string &name, const std::string &text)
      : path(std::filesystem::temp_directory_path() /
             (std::to_string(getpid()) + name)) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  std::string string() const { return path.string(); }

private:
  std::filesystem::path path;
};

std::vector<sim::TraceRequest> allTraces(const image::Program &program) {
  std::vector<sim::TraceRequest> traces;
  for (const image::Population &population : program.populations()) {
    bool silent = false;
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups())
        silent |=
            group.population() == population.name() && group.cuba().silent();
    if (!silent)
      traces.push_back({population.name(), ""});
    traces.push_back({population.name(), "u"});
    traces.push_back({population.name(), "v"});
  }
  return traces;
}

void expectEqual(const session::Recording &a, const session::Recording &b,
                 const char *what) {
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (size_t o = 0; o < a.outputs.size(); ++o)
    EXPECT_EQ(a.outputs[o].values, b.outputs[o].values)
        << what << ": output " << a.outputs[o].name;
  for (const auto &[name, trace] : a.traces)
    EXPECT_EQ(trace.ints, b.traces.at(name).ints) << what << ": " << name;
}

sim::Counts naiveCounts(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &inputs,
                        const sim::RunResult &run) {
  std::map<std::string, NaiveRecord> records;
  for (const sim::TraceData &trace : run.traces) {
    NaiveRecord &record = records[trace.population];
    (trace.state.empty()  ? record.spikes
     : trace.state == "u" ? record.u
                          : record.v) = trace.values;
  }
  // A silent population emits nothing: its trace is not asked for.
  for (auto &[name, record] : records)
    record.spikes.resize(record.u.size(), 0);
  return countNaively(program, target, inputs, records);
}

struct Totals {
  uint64_t spikes = 0, cores = 0, period = 0, wrapped = 0;
  uint64_t delayed = 0; // cores whose words have delays
};

enum class Calibrated { No, OnTheInputs, OnOneSpike };

/// The first spike of each input alone: much more will come.
std::map<std::string, Samples> oneSpike(std::map<std::string, Samples> inputs) {
  for (auto &[name, samples] : inputs) {
    std::vector<double> kept;
    bool found = false;
    samples.values.visit([&](const auto &values) {
      for (double value : values) {
        kept.push_back(found ? 0 : value);
        found = found || value != 0;
      }
    });
    samples.values = std::move(kept);
  }
  return inputs;
}

Calibrated everySecond(uint32_t seed,
                       Calibrated how = Calibrated::OnTheInputs) {
  return seed % 2 == 0 ? how : Calibrated::No;
}

void checkNetwork(uint32_t seed, const RandomNetworkOptions &options,
                  const CompileOptions &compile, Calibrated calibrated,
                  Totals &totals) {
  SCOPED_TRACE("seed " + std::to_string(seed) + " on " + compile.target);
  RandomNetwork network = randomNetwork(seed, options);
  TemporaryFile file("-agreement.mlir", network.text);
  Compilation compilation(file.string());
  if (calibrated != Calibrated::No)
    compilation.calibrate(calibrated == Calibrated::OnOneSpike
                              ? oneSpike(network.inputs)
                              : network.inputs);
  compilation.quantise(compile);
  compilation.lower(compile);
  image::Program program = compilation.emit();
  EXPECT_EQ(serialize(program), serialize(compilation.emit()));
  Target target = Target::parse(program.target_yaml(),
                                Target::load(compile.target).filename);
  sim::RunOptions run;
  run.traces = allTraces(program);
  auto functional = sim::runFunctional(program, target, network.inputs, run);
  auto reference = session::runInterpreter(
      {compilation.fixedNetwork(), {}, network.inputs, run.traces});
  expectEqual(reference, session::recordingOf(sim::RunResult(functional)),
              "functional");
  EXPECT_EQ(naiveCounts(program, target, network.inputs, functional)
                .difference(functional.counts),
            "");
  for (const TimingSet &timing : target.timings) {
    run.verify = true;
    run.timing = timing.name;
    auto cycle = sim::runCycle(program, target, network.inputs, run);
    expectEqual(reference, session::recordingOf(sim::RunResult(cycle)),
                timing.name.c_str());
    EXPECT_EQ(functional.counts.difference(cycle.counts), "");
  }
  // The same bits once more, from the expanded bodies and in the fast form.
  mlir::PassManager passes(compilation.fixedNetwork()->getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendExpandStructure());
  auto expanded = mlir::OwningOpRef<mlir::ModuleOp>(
      compilation.fixedNetwork()->getParentOfType<mlir::ModuleOp>().clone());
  ASSERT_TRUE(mlir::succeeded(passes.run(*expanded)));
  auto body = *expanded->getOps<dend::NetworkOp>().begin();
  bool left = false;
  body->walk([&](dend::CubaOp) { left = true; });
  EXPECT_FALSE(left);
  session::InterpreterRun several{body, {}, network.inputs, run.traces};
  several.threads = 3;
  several.fast = true;
  expectEqual(reference, session::runInterpreter(several), "expanded");
  totals.spikes += functional.counts.total()[sim::Counter::SpikesBinary];
  for (const auto &[name, count] : functional.saturations.wrapped)
    totals.wrapped += count;
  totals.cores += uint64_t(program.cores_size());
  for (const image::Core &core : program.cores())
    totals.delayed += !decodeDelays(core.synapses().weights()).empty();
  totals.period =
      std::max<uint64_t>(totals.period, program.schedule().period());
}

TEST(Engines, AgreeOnTinyOverSeveralCores) {
  CompileOptions compile;
  compile.target = "tiny";
  compile.overrideLimits = {
      "synapse_memory_words", "in_axons",           "out_axons",
      "decay_profiles",       "threshold_profiles", "max_delay"};
  Totals totals;
  for (uint32_t seed = 0; seed < 60; ++seed)
    checkNetwork(seed, {}, compile, everySecond(seed), totals);
  EXPECT_GT(totals.spikes, 1000u);
  EXPECT_GT(totals.cores, 90u); // several cores are really used
  EXPECT_GT(totals.period, 1u); // loops of several populations occur
}

TEST(Engines, AgreeOnLoihi1) {
  CompileOptions compile;
  compile.target = "loihi1";
  Totals totals;
  for (uint32_t seed = 100; seed < 160; ++seed) {
    compile.solver = seed % 2 ? "default" : "round-robin";
    checkNetwork(seed, {}, compile,
                 seed % 3 ? Calibrated::OnTheInputs : Calibrated::No, totals);
  }
  EXPECT_GT(totals.spikes, 1000u);
}

// Narrow states, in which u wraps, and wide ones.
TEST(Engines, AgreeAtEveryWidthOfState) {
  uint64_t wrapped = 0;
  for (unsigned bits : {8u, 10u, 13u, 16u, 20u, 25u, 29u, 31u, 32u}) {
    CompileOptions compile;
    compile.target = "loihi1,formats.state_bits=" + std::to_string(bits);
    Totals totals;
    for (uint32_t seed = 0; seed < 6; ++seed)
      checkNetwork(100 * bits + seed, {}, compile,
                   everySecond(seed, Calibrated::OnOneSpike), totals);
    wrapped += totals.wrapped;
  }
  EXPECT_GT(wrapped, 0u);
}

// Delays of synapses stand in the words of some chips, and in lists by delay on
// others.
TEST(Engines, AgreeOnDelaysOfSynapses) {
  RandomNetworkOptions options;
  options.synapseDelays = true;
  for (const char *target : {"loihi1", "ideal"}) {
    CompileOptions compile;
    compile.target = target;
    Totals totals;
    for (uint32_t seed = 300; seed < 330; ++seed) {
      options.gradedInputs = seed % 2 && compile.target != "loihi1";
      checkNetwork(seed, options, compile, Calibrated::OnTheInputs, totals);
    }
    EXPECT_GT(totals.spikes, 1000u) << target;
    if (compile.target == "ideal")
      EXPECT_EQ(totals.delayed, 0u);
    else
      EXPECT_GT(totals.delayed, 10u) << target;
  }
}

TEST(Engines, AgreeOnIdealWithGradedInputs) {
  CompileOptions compile;
  RandomNetworkOptions options;
  options.gradedInputs = true;
  Totals totals;
  for (uint32_t seed = 200; seed < 240; ++seed)
    checkNetwork(seed, options, compile, Calibrated::OnTheInputs, totals);
  EXPECT_GT(totals.spikes, 1000u);
}

} // namespace
} // namespace dendrolith::test
