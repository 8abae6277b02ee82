// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/session/ResultFiles.cpp: outputs and traces that go into files
// while a run goes on are those that it would hold, byte by byte, whatever the
// engine.

#include "runtime/session/ResultFiles.h"

#include "targets/support/Sha256.h"
#include "tests/runtime/session/CubaRequest.h"

namespace dendrolith::session {
namespace {

using ResultFilesTest = CubaRequest;

TEST_F(ResultFilesTest, OutputsInFilesMakeTheSameResult) {
  auto bytes = [&](uint64_t kept, const std::string &engine) {
    OutputDirectory out((folder / "out").string(),
                        {"outputs.npy", "predicted.npy", "traces.npz",
                         "tables.json", "result.json"});
    request.engine = engine;
    request.compare = "float";
    request.verify = engine == "functional";
    request.keptValues = kept;
    request.out = &out;
    RunOutcome outcome = run(request);
    EXPECT_EQ(outcome.recording.outputs[0].file != nullptr, kept < 32);
    EXPECT_EQ(outcome.recording.outputs[0].size(), 32u);
    writeResult(outcome, out);
    out.commit();
    EXPECT_EQ(
        std::distance(std::filesystem::directory_iterator(folder / "out"), {}),
        5);
    const std::string file = (folder / "out/outputs.npy").string();
    auto result = nlohmann::json::parse(
        readFile((folder / "out/result.json").string(), 1 << 20));
    EXPECT_EQ(result["hashes"]["outputs_sha256"], sha256OfFile(file, 1 << 20));
    EXPECT_EQ(result["compare"]["output_values"], 32);
    request.out = nullptr;
    return std::make_pair(readFile(file, 1 << 20), result["compare"].dump());
  };
  for (const char *engine : {"functional", "reference", "float"})
    EXPECT_EQ(bytes(31, engine), bytes(32, engine)) << engine;
}

TEST_F(ResultFilesTest, TracesInFilesMakeTheSameResult) {
  std::vector<double> x(5 * 300 * 2);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = double(i * i % 7 < 3);
  request.inputs = {write("long.npy", Array::ofReals({5, 300, 2}, x))};
  request.traces = "a:v,a,a:u,a";
  auto bytes = [&](uint64_t kept, const std::string &engine, unsigned threads) {
    OutputDirectory out((folder / "out").string(),
                        {"outputs.npy", "predicted.npy", "traces.npz",
                         "tables.json", "result.json"});
    request.engine = engine;
    request.threads = threads;
    request.keptValues = kept;
    request.out = &out;
    RunOutcome outcome = run(request);
    EXPECT_EQ(outcome.recording.traceFile != nullptr, kept < 9000)
        << engine << " " << kept;
    writeResult(outcome, out);
    out.commit();
    request.out = nullptr;
    const std::string file = (folder / "out/traces.npz").string();
    auto result = nlohmann::json::parse(
        readFile((folder / "out/result.json").string(), 1 << 20));
    EXPECT_EQ(result["hashes"]["traces_sha256"], sha256OfFile(file, 1 << 20));
    EXPECT_EQ(result["trace_units_per_real"].size(), 3u);
    return readFile(file, 1 << 20);
  };
  const std::string held = bytes(9000, "functional", 1);
  EXPECT_EQ(parseNpz(held, "held").at("a:u").shape,
            (std::vector<uint64_t>{5, 300, 2}));
  EXPECT_EQ(parseNpz(held, "held").at("a:u").dtype, "<i4");
  EXPECT_EQ(bytes(9000, "reference", 1), held);
  const std::string real = bytes(9000, "float", 1);
  EXPECT_EQ(parseNpz(real, "held").at("a:u").dtype, "<f8");
  for (unsigned threads : {1, 2}) {
    for (const char *engine : {"functional", "cycle", "reference"})
      EXPECT_EQ(bytes(8999, engine, threads), held) << engine << threads;
    EXPECT_EQ(bytes(8999, "float", threads), real) << threads;
  }
}

TEST_F(ResultFilesTest, TracesThatAreComparedStayInMemory) {
  OutputDirectory out((folder / "out").string(),
                      {"outputs.npy", "traces.npz", "result.json"});
  request.out = &out;
  request.keptValues = 0;
  request.verify = true;
  const RunOutcome outcome = run(request);
  EXPECT_EQ(outcome.recording.traceFile, nullptr);
  EXPECT_EQ(outcome.recording.traces.at("a:v").ints.size(), 32u);
}

// The state counts to 5e9 in its second step, which 32 bits do not hold.
TEST_F(ResultFilesTest, StatesOfMoreThan32BitsAreWideInEveryEngine) {
  request.path = (folder / "wide.mlir").string();
  writeAside(request.path, R"(
    dend.network @wide {
      dend.clock @tick
      dend.input @x on @tick : tensor<2xf64> as !dend.spike<binary>
      dend.neuron @count ports(%I : !dend.fx<24, 0>)
          states(%v : !dend.fx<40, 0> reset sample)
          outputs(s : !dend.spike<binary>) {
        %k = dend.literal 2500000000 : i64 as !dend.fx<40, 0>
        %v1 = dend.add %v, %k
        %s = dend.cmp gt %v1, %k
        dend.yield states(%v1) emit(%s)
      }
      dend.constant @one : tensor<1x2xi8> = dense<1> : tensor<1x2xi8>
      dend.population @a : @count[1] on @tick
      dend.project @x -> @a["I"] weight @one
      dend.output @y = @a["s"]
    })");
  request.model.compile.target = "loihi2";
  request.traces = "a:v,a";
  for (const char *engine : {"functional", "reference", "cycle"}) {
    request.engine = engine;
    const RunOutcome outcome = run(request);
    const Array &state = outcome.recording.traces.at("a:v");
    EXPECT_EQ(state.dtype, "<i8") << engine;
    EXPECT_EQ(state.ints[1], 5000000000) << engine;
    EXPECT_EQ(outcome.recording.traces.at("a").dtype, "<i4") << engine;
  }
  // In a file as well, where the archive is made before the run.
  request.keptValues = 0;
  for (const char *engine : {"functional", "reference"}) {
    OutputDirectory out(
        (folder / "out").string(),
        {"outputs.npy", "traces.npz", "tables.json", "result.json"});
    request.engine = engine;
    request.out = &out;
    RunOutcome outcome = run(request);
    ASSERT_NE(outcome.recording.traceFile, nullptr);
    writeResult(outcome, out);
    out.commit();
    const auto traces = loadNpz((folder / "out/traces.npz").string());
    EXPECT_EQ(traces.at("a:v").ints[15], 16 * 2500000000) << engine;
    EXPECT_EQ(traces.at("a").dtype, "<i4");
  }
}

} // namespace
} // namespace dendrolith::session
