// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/pipelines/Compile.cpp,
// simulator/functional/machine/MicroStep.cpp.
// Random step bodies through the whole compiler: the reference interpreter on
// the network as written, the functional and the SystemC engine on its programs
// agree to the bit, tick by tick. In every second network, programs are machine
// code.
//
// DENDROLITH_FUZZ_SECONDS (default 15) and DENDROLITH_FUZZ_SEED (default 1) set
// how long and from which seed; DENDROLITH_FUZZ_BODIES stops after that many
// bodies.

#include "runtime/session/native/NativePrograms.h"
#include "runtime/session/RunInterpreter.h"
#include "tests/agreement/FuzzSettings.h"
#include "tests/agreement/RandomBodies.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace dendrolith::test {
namespace {

std::vector<sim::TraceRequest> requests(const RandomBodies &network) {
  std::vector<sim::TraceRequest> all;
  for (const std::string &trace : network.traces) {
    size_t colon = trace.find(':');
    all.push_back({trace.substr(0, colon), trace.substr(colon + 1)});
  }
  return all;
}

std::string difference(const session::Recording &a, const session::Recording &b,
                       const std::string &engine) {
  for (size_t o = 0; o < a.outputs.size(); ++o)
    for (size_t i = 0; i < a.outputs[o].values.size(); ++i)
      if (a.outputs[o].values[i] != b.outputs[o].values[i])
        return engine + ": output " + a.outputs[o].name + " at " +
               std::to_string(i) + ": " +
               std::to_string(a.outputs[o].values[i]) + " and " +
               std::to_string(b.outputs[o].values[i]);
  for (const auto &[name, trace] : a.traces)
    // What a file would hold: states of more than 32 bits are wide in both.
    if (formatNpy(trace) != formatNpy(b.traces.at(name)))
      return engine + ": trace " + name + " differs";
  return "";
}

/// Empty if the spike values are those of the traced emissions.
std::string difference(const sim::RunResult &run, uint64_t &compared) {
  for (const sim::SpikeValues &values : run.spikeValues)
    for (const sim::TraceData &trace : run.traces) {
      // The only output of a model is "o0" and is not told.
      if (trace.name != values.name && trace.name != values.name + ":o0")
        continue;
      sim::SpikeValues traced{values.name, values.low,
                              std::vector<uint64_t>(values.counts.size())};
      for (int64_t value : trace.values)
        ++traced.counts.at(size_t(value - values.low));
      if (traced.counts != values.counts)
        return "spike values of " + values.name;
      compared += trace.values.size();
    }
  return "";
}

/// Empty if all layers, and all samples, add up to the counts.
std::string checkSums(const sim::RunResult &result) {
  const sim::CoreCounts total = result.counts.total();
  sim::CoreCounts layers = result.attribution.total(), samples;
  for (const sim::CoreCounts &sample : result.sampleCounts)
    samples += sample;
  samples[sim::Counter::Resets] += result.samples;
  // Ports that wait are no event of a layer or a sample.
  for (sim::CoreCounts *sum : {&layers, &samples})
    (*sum)[sim::Counter::Stalls] = total[sim::Counter::Stalls];
  return layers != total    ? "layers do not add up"
         : samples != total ? "samples do not add up"
                            : "";
}

struct Way {
  const char *target, *spikes;
  bool spread; // over two cores
};

/// Empty if all engines agree on the network of that seed. `split` counts
/// populations whose neurons run several programs.
std::string compareBodies(const RandomBodies &network, const std::string &path,
                          const Way &way, bool cycle, bool compiled,
                          sim::CoreCounts &counts, uint64_t &spikeValues,
                          int &split) {
  Compilation compilation(path);
  CompileOptions options;
  options.target = way.target;
  options.spikes = way.spikes;
  // A population per core, if there are two.
  auto populations = compilation.floatNetwork().getOps<dend::PopulationOp>();
  if (way.spread && std::distance(populations.begin(), populations.end()) > 1)
    options.minCores = 2;
  compilation.quantise(options);
  compilation.lower(options);
  image::Program program = compilation.emit();
  Target chip = Target::parse(program.target_yaml(),
                              Target::load(options.target).filename);
  for (const image::Note &note : program.policies())
    split += note.key().rfind("programs of ", 0) == 0;
  sim::RunOptions run;
  run.traces = requests(network);
  if (compiled)
    run.compiler = nativePrograms();
  run.alwaysCompile = true;
  // As written where it can be: structure ops are still there then. A recipe
  // has a meaning only once it is written out.
  dend::NetworkOp meant = network.kinds.count("math")
                              ? compilation.fixedNetwork()
                              : compilation.floatNetwork();
  auto reference =
      session::runInterpreter({meant, {}, network.inputs, run.traces});
  session::InterpreterRun inFastForm{meant, {}, network.inputs, run.traces};
  inFastForm.fast = true;
  std::string wrong = difference(reference, session::runInterpreter(inFastForm),
                                 "fast interpreter");
  if (!wrong.empty())
    return wrong;
  auto functional = sim::runFunctional(program, chip, network.inputs, run);
  counts += functional.counts.total();
  wrong =
      difference(reference, session::recordingOf(sim::RunResult(functional)),
                 "functional");
  if (wrong.empty())
    wrong = difference(functional, spikeValues);
  if (wrong.empty())
    wrong = checkSums(functional);
  if (!wrong.empty() || !cycle)
    return wrong;
  run.verify = true;
  auto timed = sim::runCycle(program, chip, network.inputs, run);
  wrong = difference(reference, session::recordingOf(sim::RunResult(timed)),
                     "cycle");
  if (wrong.empty())
    wrong = difference(timed, spikeValues);
  if (wrong.empty())
    wrong = functional.counts.difference(timed.counts);
  if (wrong.empty() && !(timed.attribution == functional.attribution))
    wrong = "layers differ";
  if (wrong.empty() && timed.sampleCounts != functional.sampleCounts)
    wrong = "samples differ";
  return wrong;
}

TEST(Bodies, EnginesAgree) {
  using Clock = std::chrono::steady_clock;
  const double seconds = fuzzSetting("DENDROLITH_FUZZ_SECONDS", 15);
  const double most = fuzzSetting("DENDROLITH_FUZZ_BODIES", 1e9);
  const auto start = Clock::now();
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               (std::to_string(getpid()) + "-bodies.mlir");
  std::map<std::string, int> kinds;
  sim::CoreCounts counts;
  int bodies = 0, networks = 0, split = 0;
  // Unary spikes make long periods, which delays are multiples of; the last one
  // spreads populations over cores.
  const Way ways[] = {
      {"ideal", "auto", false},
      {"loihi2", "auto", true},
      {"loihi2-binary,limits.max_delay=4000,host.payload_bits=5,host.sign=true",
       "auto", false},
      {"loihi2,limits.compartments_per_core=2", "auto", false},
      {"loihi2,limits.max_delay=4000", "unary", true},
  };
  uint64_t spikeValues = 0;
  for (uint32_t seed = uint32_t(fuzzSetting("DENDROLITH_FUZZ_SEED", 1));
       bodies < most &&
       std::chrono::duration<double>(Clock::now() - start).count() < seconds;
       ++seed) {
    RandomBodies network = randomBodies(seed);
    std::ofstream(path) << network.text;
    std::string wrong;
    try {
      wrong = compareBodies(network, path.string(), ways[seed % 5],
                            seed / 5 % 2 == 0, seed % 2 == 0, counts,
                            spikeValues, split);
    } catch (const std::exception &error) {
      wrong = error.what();
    }
    if (!wrong.empty()) {
      std::filesystem::remove(path);
      FAIL() << "seed " << seed << " on " << ways[seed % 5].target << ": "
             << wrong << "\n"
             << network.text;
    }
    for (auto [kind, count] : network.kinds)
      kinds[kind] += count;
    bodies += network.bodies;
    ++networks;
  }
  std::filesystem::remove(path);
  std::printf("%d bodies in %d networks, %d populations of several programs;",
              bodies, networks, split);
  for (auto [kind, count] : kinds)
    std::printf(" %d %s", count, kind.c_str());
  std::printf("\n");
  // Every op occurs, and so does every way of sending.
  if (bodies >= 200) {
    for (const char *kind :
         {"add",       "sub",     "mul",     "min",    "max",     "neg",
          "abs",       "rescale", "literal", "cmp",    "select",  "clamp",
          "shift",     "clz",     "table",   "dot",    "matvec",  "vecmat",
          "outer_add", "reduce",  "topk",    "slice",  "element", "concat",
          "roll",      "splat",   "when",    "branch", "fire",    "join",
          "ssf",       "math"})
      EXPECT_GT(kinds[kind], 0) << kind;
    EXPECT_GT(split, 0);
    for (sim::Counter counter :
         {sim::Counter::SpikesBinary, sim::Counter::SpikesGraded,
          sim::Counter::SpikesUnary, sim::Counter::SsfRungs})
      EXPECT_GT(counts[counter], 0u) << sim::counterName(counter);
    EXPECT_GT(spikeValues, 0u);
  }
}

} // namespace
} // namespace dendrolith::test
