// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/quantise/QuantiseBody.cpp,
// compiler/transforms/quantise/Calibration.cpp.
// Random step bodies in reals through calibration, quantiser and compiler: the
// integer network in the reference interpreter, the functional and the SystemC
// engine agree to the bit, and its states are near the float network's.
// DENDROLITH_FUZZ_SECONDS (default 15) and DENDROLITH_FUZZ_SEED (default 1) set
// how long and from which seed.

#include "runtime/session/RunInterpreter.h"
#include "tests/agreement/FuzzSettings.h"
#include "tests/agreement/RandomReals.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace dendrolith::test {
namespace {

void expectSameRecording(const session::Recording &a,
                         const session::Recording &b,
                         const std::string &engine) {
  for (size_t o = 0; o < a.outputs.size(); ++o)
    EXPECT_EQ(a.outputs[o].values, b.outputs[o].values)
        << engine << ": output " << a.outputs[o].name;
  for (const auto &[name, trace] : a.traces)
    EXPECT_EQ(trace.ints, b.traces.at(name).ints) << engine << ": " << name;
}

/// States whose integers are within a tenth of the float network's, in the mean
/// over neurons and ticks, and all of them. A choice that falls the other way
/// carries some of them elsewhere.
struct Closeness {
  int close = 0, all = 0;

  void add(const session::Recording &real, const session::Recording &fixed,
           dend::NetworkOp network) {
    for (const auto &[name, trace] : real.traces) {
      size_t colon = name.find(':');
      auto population =
          network.lookupSymbol<dend::PopulationOp>(name.substr(0, colon));
      auto model = network.lookupSymbol<dend::NeuronOp>(population.getModel());
      mlir::Type type =
          model.getStateArgs()[size_t(model.findState(name.substr(colon + 1)))]
              .getType();
      int exponent = dend::fixedType(type).getExponent();
      const std::vector<int64_t> &ints = fixed.traces.at(name).ints;
      double error = 0, size = 0;
      for (size_t i = 0; i < ints.size(); ++i) {
        error +=
            std::fabs(std::ldexp(double(ints[i]), exponent) - trace.real[i]);
        size += std::fabs(trace.real[i]);
      }
      close += error <= 0.1 * size + 1e-6;
      ++all;
    }
  }
};

void compareReals(const RandomReals &network, const std::string &path,
                  bool cycle, Closeness &closeness) {
  CompileOptions options;
  options.target = "loihi2,limits.core_memory_bytes=1000000000";
  Compilation compilation(path);
  compilation.calibrate(network.inputs);
  compilation.quantise(options);
  compilation.lower(options);
  image::Program program = compilation.emit();
  Target chip = Target::parse(program.target_yaml(),
                              Target::load(options.target).filename);
  sim::RunOptions run;
  for (const std::string &trace : network.traces) {
    size_t colon = trace.find(':');
    run.traces.push_back({trace.substr(0, colon), trace.substr(colon + 1)});
  }
  auto reference = session::runInterpreter(
      {compilation.fixedNetwork(), {}, network.inputs, run.traces});
  closeness.add(
      session::runInterpreter(
          {compilation.floatNetwork(), {}, network.inputs, run.traces}),
      reference, compilation.fixedNetwork());
  expectSameRecording(reference,
                      session::recordingOf(sim::runFunctional(
                          program, chip, network.inputs, run)),
                      "functional");
  if (!cycle)
    return;
  run.verify = true;
  expectSameRecording(
      reference,
      session::recordingOf(sim::runCycle(program, chip, network.inputs, run)),
      "cycle");
}

TEST(RealBodies, EnginesAgreeOnceQuantised) {
  using Clock = std::chrono::steady_clock;
  const double seconds = fuzzSetting("DENDROLITH_FUZZ_SECONDS", 15);
  const auto start = Clock::now();
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               (std::to_string(getpid()) + "-reals.mlir");
  std::map<std::string, int> kinds;
  int networks = 0;
  Closeness closeness;
  for (uint32_t seed = uint32_t(fuzzSetting("DENDROLITH_FUZZ_SEED", 1));
       std::chrono::duration<double>(Clock::now() - start).count() < seconds;
       ++seed, ++networks) {
    RandomReals network = randomReals(seed);
    std::ofstream(path) << network.text;
    try {
      compareReals(network, path.string(), seed % 3 == 0, closeness);
    } catch (const std::exception &error) {
      ADD_FAILURE() << error.what();
    }
    if (HasFailure()) {
      std::filesystem::remove(path);
      FAIL() << "seed " << seed << "\n" << network.text;
    }
    for (auto [kind, count] : network.kinds)
      kinds[kind] += count;
  }
  std::filesystem::remove(path);
  std::printf("%d networks; %d of %d states close to float;", networks,
              closeness.close, closeness.all);
  for (auto [kind, count] : kinds)
    std::printf(" %d %s", count, kind.c_str());
  std::printf("\n");
  if (networks < 100)
    return;
  EXPECT_GT(closeness.close, 0.9 * closeness.all);
  for (const char *kind :
       {"add",       "sub",    "mul",    "min",  "max",    "neg",
        "abs",       "clamp",  "select", "math", "matvec", "dot",
        "outer_add", "vecmat", "reduce", "topk", "roll",   "element",
        "concat",    "slice",  "splat",  "when", "ssf"})
    EXPECT_GT(kinds[kind], 0) << kind;
}

} // namespace
} // namespace dendrolith::test
