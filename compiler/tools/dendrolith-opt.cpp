// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs passes and pipelines on networks and chip programs: for people who work
// on passes.
#include "compiler/lowering/Passes.h"
#include "compiler/native/Passes.h"
#include "compiler/pipelines/Pipelines.h"
#include "compiler/transforms/Passes.h"
#include "dialects/chip/Chip.h"
#include "dialects/dend/Dend.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

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
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "optimiser of neural networks and chip programs\n",
      registry));
}
