// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs passes and pipelines on networks and chip programs: for people who work
// on passes.
#include "compiler/import/common/TryParse.h"
#include "compiler/lowering/Passes.h"
#include "compiler/native/Passes.h"
#include "compiler/pipelines/Pipelines.h"
#include "compiler/transforms/Passes.h"
#include "dialects/chip/Chip.h"
#include "dialects/dend/Dend.h"

#include "targets/support/Error.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

/// Reads the input, runs what the flags say and writes the output. Throws Error
/// where MLIR's reader dies of the input.
static llvm::LogicalResult run(const std::string &input,
                               const std::string &output,
                               mlir::DialectRegistry &registry,
                               const mlir::MlirOptMainConfig &config) {
  std::string error;
  auto source = mlir::openInputFile(input, &error);
  if (!source)
    throw dendrolith::Error(error);
  {
    // A child of a process has none of its threads.
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
    dendrolith::tryParse(context, source->getMemBufferRef());
  }
  auto file = mlir::openOutputFile(output, &error);
  if (!file)
    throw dendrolith::Error(error);
  if (failed(
          mlir::MlirOptMain(file->os(), std::move(source), registry, config)))
    return llvm::failure();
  file->keep();
  return llvm::success();
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry
      .insert<dendrolith::report::ReportDialect, dendrolith::dend::DendDialect,
              dendrolith::chip::ChipDialect>();
  mlir::registerTransformsPasses();
  dendrolith::registerDendrolithTransformsPasses();
  dendrolith::registerDendrolithLoweringPasses();
  dendrolith::registerDendrolithNativePasses();
  dendrolith::registerNativePipelines();
  dendrolith::registerDendrolithPipelines();
  llvm::InitLLVM withStackTraces(argc, argv);
  const auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "optimiser of neural networks and chip programs\n", registry);
  const auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  // These two read nothing.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  try {
    return mlir::asMainReturnCode(run(input, output, registry, config));
  } catch (const dendrolith::Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return 1;
  }
}
