// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/tools/dendrolith-opt.cpp. The text of a network or of a chip's
// program, as people who work on passes write it, several of them parted as
// tests part them. Each is read and verified; passes that follow from the text
// run; and what they leave is printed and reads back.

#include "compiler/lowering/Passes.h"
#include "compiler/native/Passes.h"
#include "compiler/pipelines/Pipelines.h"
#include "compiler/transforms/Passes.h"
#include "dialects/chip/Chip.h"
#include "dialects/dend/Dend.h"
#include "tests/fuzz/Tree.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include <algorithm>
#include <numeric>

using namespace dendrolith;

/// As `dendrolith-opt` takes them.
static const char *const pipelines[] = {
    "canonicalize",
    "dendrolith-prepare",
    "dendrolith-quantise{target=loihi1}",
    "dendrolith-quantise{target=loihi2},dendrolith-schedule{target=loihi2}",
    "dendrolith-quantise,dendrolith-schedule,dend-to-chip",
    "dendrolith-rewrite{names=fold-readout,rank-d}",
    "builtin.module(dend.network(dend-gauge,dend-split-dendrite))",
    "dend-body-to-vector",
    "chip-program-to-vector",
    "canonicalize,cse",
};

static void registerOnce() {
  static const bool done = [] {
    mlir::registerTransformsPasses();
    registerDendrolithTransformsPasses();
    registerDendrolithLoweringPasses();
    registerDendrolithNativePasses();
    registerDendrolithPipelines();
    return true;
  }();
  (void)done;
}

/// MLIR's own reader takes a call for each level, and as much memory as a type
/// asks for. Neither is ours, and `dendrolith` reads files in a child first.
static bool ordinary(const std::string &text) {
  constexpr int mostLevels = 64;
  constexpr size_t mostDigits = 5;
  int level = 0;
  size_t digits = 0;
  for (char c : text) {
    level += (c == '(' || c == '[' || c == '{' || c == '<') -
             (c == ')' || c == ']' || c == '}' || c == '>');
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (level > mostLevels || digits > mostDigits)
      return false;
  }
  return true;
}

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// False where it cannot be read.
static bool readAndRun(const std::string &text) {
  mlir::MLIRContext &context = fuzz::context();
  context.loadDialect<report::ReportDialect, dend::DendDialect,
                      chip::ChipDialect>();
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  const mlir::ParserConfig config(&context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  if (!module)
    return false;
  // One of them: all would take ten times as long.
  const size_t sum = std::accumulate(
      text.begin(), text.end(), size_t(0),
      [](size_t sum, char c) { return sum + static_cast<uint8_t>(c); });
  mlir::PassManager passes(&context);
  fuzz::require(
      succeeded(mlir::parsePassPipeline(pipelines[sum % std::size(pipelines)],
                                        passes, llvm::nulls())),
      "no such pipeline");
  if (failed(passes.run(*module)))
    return true;
  const std::string left = textOf(*module);
  fuzz::require(bool(mlir::parseSourceString<mlir::ModuleOp>(left, config)),
                "what the passes left cannot be read:\n" + left);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string between = "// -----";
  registerOnce();
  const std::string all(reinterpret_cast<const char *>(data), size);
  if (!ordinary(all))
    return -1;
  bool taken = false;
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find(between, at), all.size());
    taken |= readAndRun(all.substr(at, end - at));
    at = end + between.size();
  }
  return taken ? 0 : -1;
}
