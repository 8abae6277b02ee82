// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/lava/Build.cpp, compiler/pipelines/Compile.cpp.
// The network of a .lava.pb file for a few ticks: in the reference interpreter,
// and compiled in the functional engine, which must give the same.

#include "compiler/pipelines/Compile.h"
#include "dialects/dend/reference/Interpreter.h"
#include "runtime/image/Program.h"
#include "simulator/Run.h"
#include "tests/fuzz/Lava.h"

#include "mlir/IR/Diagnostics.h"

#include <filesystem>
#include <fstream>

using namespace dendrolith;

constexpr int64_t kTicks = 8; // some delays pass

/// The ends of the input's range, and between them.
static std::vector<double> valuesOf(const dend::InputInfo &input,
                                    int64_t tick) {
  bool binary = input.spike.getKind() == dend::SpikeKind::Binary;
  double low = binary ? 0 : double(input.spike.getLow());
  double high = binary ? 1 : double(input.spike.getHigh());
  std::vector<double> values;
  for (int64_t i = 0; i < input.size(); ++i) {
    double choices[] = {high, low, 1, 0};
    values.push_back(choices[(i + tick) % 4]);
  }
  return values;
}

/// By output; none where a cycle has no delay.
static std::map<std::string, std::vector<double>>
interpret(dend::NetworkOp network, std::map<std::string, Samples> &inputs) {
  std::map<std::string, std::vector<double>> outputs;
  mlir::ScopedDiagnosticHandler handler(
      network.getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  auto interpreter = dend::Interpreter::create(network);
  if (failed(interpreter))
    return outputs;
  (*interpreter)->reset();
  std::map<std::string, std::vector<double>> fed;
  for (int64_t tick = 0; tick < kTicks; ++tick) {
    std::map<std::string, std::vector<double>> values;
    for (const dend::InputInfo &input : (*interpreter)->inputs()) {
      const std::vector<double> &now = values[input.name] =
          valuesOf(input, tick);
      Samples &samples = inputs[input.name];
      samples.samples = 1;
      samples.steps = kTicks;
      samples.shape.assign(input.shape.begin(), input.shape.end());
      std::vector<double> &all = fed[input.name];
      all.insert(all.end(), now.begin(), now.end());
      samples.values = all;
    }
    (*interpreter)->tick(values);
    for (const dend::OutputInfo &output : (*interpreter)->outputs()) {
      std::vector<double> now = (*interpreter)->output(output.name);
      std::vector<double> &all = outputs[output.name];
      all.insert(all.end(), now.begin(), now.end());
    }
  }
  return outputs;
}

/// None where the chip cannot have the network.
static std::optional<image::Program> compile(const std::string &bytes) {
  static const std::string path = std::filesystem::temp_directory_path() /
                                  (std::to_string(getpid()) + ".lava.pb");
  std::ofstream(path, std::ios::binary) << bytes;
  std::optional<image::Program> program;
  try {
    Compilation compilation(path);
    compilation.quantise({});
    compilation.lower({});
    program = compilation.emit();
  } catch (const Error &) { // its notes are lines of their own
  }
  std::filesystem::remove(path);
  return program;
}

static void run(dend::NetworkOp network, const std::string &bytes) {
  std::map<std::string, Samples> inputs;
  std::map<std::string, std::vector<double>> expected =
      interpret(network, inputs);
  if (expected.empty())
    return;
  std::optional<image::Program> program = compile(bytes);
  if (!program)
    return;
  *program = parseProgram(serialize(*program), "own.dlp");
  static const Target ideal = Target::load("ideal");
  for (const sim::OutputData &output :
       sim::runFunctional(*program, ideal, inputs, {}).outputs)
    fuzz::require(output.values == expected.at(output.name),
                  "the engines differ at output " + output.name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  ImportedModel built;
  if (!fuzz::buildLava(bytes, built))
    return -1;
  run(*built.module->getOps<dend::NetworkOp>().begin(), bytes);
  return 0;
}
