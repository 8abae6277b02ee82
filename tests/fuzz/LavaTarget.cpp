// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The message of a .lava.pb file. What is read is built, which verifies it, and
// what is built runs for a few ticks in the reference interpreter.

#include "compiler/import/lava/Lava.h"
#include "dialects/dend/reference/Interpreter.h"
#include "tests/fuzz/Tree.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace neurite;

// A small file may speak of gigabytes, and each decay of an ATRLIF takes a
// while to prove; a fuzz target has no time for them.
constexpr double kMostElements = 1 << 12;
constexpr unsigned kMostAdaptive = 1;
constexpr int64_t kTicks = 4;

template <typename Extents> static double product(const Extents &extents) {
  double count = 1;
  for (auto extent : extents)
    count *= double(extent);
  return count;
}

static bool small(const lava::Model &model) {
  double elements = 0;
  unsigned adaptive = 0;
  for (const lava::Process &process : model.processes()) {
    adaptive += process.lava_class() == "lava.proc.atrlif.process.ATRLIF";
    elements += product(process.shape());
    for (const auto &[key, value] : process.kwargs())
      elements += std::max(product(value.tensor().dims()),
                           product(value.integers().values()));
  }
  return elements <= kMostElements && adaptive <= kMostAdaptive;
}

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

static void run(mlir::ModuleOp module) {
  dend::NetworkOp network = *module.getOps<dend::NetworkOp>().begin();
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  auto interpreter = dend::Interpreter::create(network);
  if (failed(interpreter)) // a cycle without delay
    return;
  (*interpreter)->reset();
  for (int64_t tick = 0; tick < kTicks; ++tick) {
    std::map<std::string, std::vector<double>> values;
    for (const dend::InputInfo &input : (*interpreter)->inputs())
      values[input.name] = valuesOf(input, tick);
    (*interpreter)->tick(values);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  bool taken = fuzz::accepted([&] {
    lava::Model model = parseLava(bytes, "fuzz.lava.pb");
    if (!small(model))
      throw Error("too large for a fuzz target");
    ImportedModel built = buildLava(fuzz::context(), model, "fuzz.lava.pb");
    built.module->print(llvm::nulls());
    run(*built.module);
  });
  return taken ? 0 : -1;
}
