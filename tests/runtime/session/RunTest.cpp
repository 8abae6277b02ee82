// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model compiled and run from code, without a command line
// (runtime/session/Run.h): what comes back, and that nothing is printed.

#include "runtime/session/ResultFiles.h"

#include "targets/support/Sha256.h"
#include "tests/runtime/session/CubaRequest.h"

namespace dendrolith::session {
namespace {

using RunTest = CubaRequest;

TEST_F(RunTest, GivesOutputsTracesAndTheResult) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  RunOutcome outcome = run(request);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(outcome.recording.outputs.size(), 1u);
  EXPECT_EQ(outcome.recording.outputs[0].values.size(), 32u);
  EXPECT_EQ(outcome.recording.traces.at("a:v").shape,
            (std::vector<uint64_t>{1, 16, 2}));
  EXPECT_TRUE(outcome.single);
  EXPECT_EQ(outcome.result.at("engine"), "functional");
  EXPECT_EQ(outcome.result.at("target").at("name"), "loihi1");
  EXPECT_EQ(outcome.result.at("program_sha256").get<std::string>().size(), 64u);
  EXPECT_GT(outcome.result.at("peak_rss_bytes"), 0);
  EXPECT_EQ(outcome.result.at("summary").at("samples"), 1);
  EXPECT_EQ(outcome.tables.at("counts").at("cores").size(),
            outcome.result.at("summary").at("cores").get<size_t>());
  EXPECT_NE(outcome.report.find("calibration of x"), std::string::npos)
      << outcome.report;
  // Nothing was written beside the input.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(RunTest, EveryEngineGivesTheSameIntegers) {
  RunOutcome functional = run(request);
  for (const char *engine : {"reference", "cycle"}) {
    request.engine = engine;
    RunOutcome other = run(request);
    EXPECT_EQ(other.result.at("engine"), engine);
    EXPECT_EQ(other.recording.outputs[0].values,
              functional.recording.outputs[0].values);
    EXPECT_EQ(other.recording.traces.at("a:v").ints,
              functional.recording.traces.at("a:v").ints);
  }
}

TEST_F(RunTest, TheListenerHearsOfFindingsAndProgress) {
  std::vector<std::string> found, work;
  request.model.listener.onFinding = [&](const std::string &line) {
    found.push_back(line);
  };
  uint64_t most = 0;
  request.model.listener.onWork = [&](const std::string &name) -> Progress {
    work.push_back(name);
    return [&](uint64_t done, uint64_t) { most = std::max(most, done); };
  };
  request.verify = true;
  run(request);
  EXPECT_EQ(work, (std::vector<std::string>{"functional engine",
                                            "reference engine"}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "Verified: 1 output(s) and 1 trace(s) equal to the "
                      "reference interpreter at every tick");
  EXPECT_GT(most, 0u);
}

TEST_F(RunTest, TheListenerAndTheResultHaveTheSameWarnings) {
  Warnings heard;
  request.model.listener.onWarning = [&](const Warning &warning) {
    heard.push_back(warning);
  };
  // Nothing comes in, and nothing goes out.
  request.model.calibrate = request.inputs;
  request.inputs = {
      write("zero.npy", Array::ofReals({16, 2}, std::vector<double>(32)))};
  RunOutcome outcome = run(request);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].code, "never-spikes");
  EXPECT_EQ(heard[0].where, "layer 'a'");
  ASSERT_EQ(outcome.result.at("warnings").size(), 1u);
  EXPECT_EQ(outcome.result.at("warnings")[0].at("text"), heard[0].text);
  EXPECT_NE(outcome.report.find(lineOf(heard[0])), std::string::npos);
}

TEST_F(RunTest, FilesCarryTheHashesOfTheOthers) {
  const std::vector<std::string> names = {"outputs.npy",   "traces.npz",
                                          "predicted.npy", "spikes.npz",
                                          "tables.json",   "result.json"};
  OutputDirectory out((folder / "out").string(), names);
  RunOutcome outcome = run(request);
  EXPECT_EQ(outcome.result["wall_s"]["write"], 0);
  writeResult(outcome, out);
  out.commit();
  auto bytesOf = [&](const std::string &name) {
    return readFile((folder / "out" / name).string(), 1 << 20);
  };
  auto hashes = nlohmann::json::parse(bytesOf("result.json")).at("hashes");
  EXPECT_EQ(hashes.at("outputs_sha256"), sha256(bytesOf("outputs.npy")));
  EXPECT_EQ(hashes.at("traces_sha256"), sha256(bytesOf("traces.npz")));
  EXPECT_EQ(hashes.at("predicted_sha256"), sha256(bytesOf("predicted.npy")));
  EXPECT_EQ(hashes.at("tables_sha256"), sha256(bytesOf("tables.json")));
  EXPECT_EQ(hashes.at("spikes_sha256"), nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/spikes.npz"));
  const auto written = nlohmann::ordered_json::parse(bytesOf("result.json"));
  EXPECT_GT(written["wall_s"]["check"], 0);
  EXPECT_GT(written["wall_s"]["write"], 0);
  EXPECT_EQ(written["peak_rss_bytes"], outcome.result["peak_rss_bytes"]);
}

TEST_F(RunTest, AComparisonByLayerRecordsNothingForTheCaller) {
  request.compare = "float";
  request.byLayer = true;
  RunOutcome outcome = run(request);
  EXPECT_EQ(outcome.recording.traces.size(), 1u);
  EXPECT_EQ(outcome.result.at("trace_units_per_real").size(), 1u);
  const auto &layers = outcome.result.at("compare").at("layers");
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers[0].at("population"), "a");
  EXPECT_EQ(layers[0].at("outputs")[0].at("values"), 32);
  // Against the same integers nothing differs.
  request.compare = "reference";
  outcome = run(request);
  for (const auto &layer : outcome.result.at("compare").at("layers")) {
    EXPECT_EQ(layer.at("outputs")[0].at("different"), 0);
    for (const auto &state : layer.at("states"))
      EXPECT_EQ(state.at("rms"), 0);
  }
}

TEST_F(RunTest, ByLayerNeedsTwoNetworks) {
  request.byLayer = true;
  EXPECT_NE(errorOf(request).find("give --compare"), std::string::npos);
  request.compare = "float";
  request.engine = "float";
  EXPECT_NE(errorOf(request).find("the float engine has not"),
            std::string::npos);
}

TEST_F(RunTest, ADifferenceIsNoError) {
  RunOutcome plain = run(request);
  std::vector<double> wanted = plain.recording.outputs[0].values;
  request.expected = write("y.npy", Array::ofReals({16, 2}, wanted));
  RunOutcome equal = run(request);
  ASSERT_TRUE(equal.expected);
  EXPECT_EQ(equal.expected->different, 0u);
  // Only the trace that was asked for is left.
  EXPECT_EQ(equal.recording.traces.size(), 1u);
  wanted[5] += 1;
  request.expected = write("y.npy", Array::ofReals({16, 2}, wanted));
  RunOutcome other = run(request);
  ASSERT_TRUE(other.expected);
  EXPECT_EQ(other.expected->different, 1u);
  EXPECT_NE(other.expected->text.find("neuron 1, step 3"), std::string::npos)
      << other.expected->text;
  EXPECT_EQ(other.result.at("compare_file").at("different"), 1);
  EXPECT_EQ(other.recording.outputs[0].values,
            plain.recording.outputs[0].values);
}

/// One resolver of traces for engines on a chip and for the interpreter.
TEST_F(RunTest, TracesMeanTheSameInEveryEngine) {
  request.traces = "a:w";
  const std::string onChip = errorOf(request);
  EXPECT_EQ(onChip,
            "trace 'a:w': expected a state or an output of it, 'u', 'v', or "
            "nothing for the emitted values of its only output");
  // The chip's `u` is the model's `i`.
  request.traces = "a:i,a";
  RunOutcome functional = run(request);
  request.engine = "reference";
  RunOutcome reference = run(request);
  for (const char *name : {"a:i", "a"})
    EXPECT_EQ(functional.recording.traces.at(name).ints,
              reference.recording.traces.at(name).ints)
        << name;
  request.engine = "float";
  request.traces = "b";
  EXPECT_EQ(errorOf(request), "trace 'b': expected one of 'a'");
}

TEST_F(RunTest, RequestsThatContradictThemselves) {
  request.timeline.rows = 1000;
  EXPECT_NE(errorOf(request).find("choose --engine cycle"), std::string::npos);
  request.timeline.rows = 0;
  request.engine = "float";
  request.expected = "y.npz";
  EXPECT_EQ(errorOf(request),
            "--compare y.npz compares integers, which the float engine has "
            "not; choose another engine");
}

TEST_F(RunTest, ATimelineComesBack) {
  request.engine = "cycle";
  request.timeline.rows = 1000;
  EXPECT_FALSE(run(request).timeline.steps.empty());
}

/// The parts that a sweep is made of: one model, mapped twice.
TEST_F(RunTest, OneModelIsMappedTwice) {
  LoadedModel model = loadModel(request.model, request.path, request.inputs);
  calibrate(*model.compilation, request.model, model.inputs);
  CompileOptions options = request.model.compile;
  model.compilation->quantise(options);
  options.mapFor = "cores";
  MappedProgram one = mapProgram(*model.compilation, options);
  options.minCores = 2;
  MappedProgram two = mapProgram(*model.compilation, options);
  EXPECT_EQ(one.program.mapping().cores(), 1u);
  EXPECT_EQ(two.program.mapping().cores(), 2u);
  EXPECT_EQ(one.chip.hash, two.chip.hash);
}

} // namespace
} // namespace dendrolith::session
