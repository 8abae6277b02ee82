// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Torch.h"

#include "compiler/import/torch/Tracer.h"
#include "compiler/import/torch/Write.h"
#include "dialects/dend/Dend.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>
#include <fmt/format.h>

using namespace mlir;

namespace dendrolith {

ImportedModel importTorchProgram(MLIRContext &context,
                                 const torch::Program &program) {
  context.getOrLoadDialect<dend::DendDialect>();
  torch::Written written =
      torch::writeNetwork(program, torch::buildPopulations(program));
  ImportedModel model;
  model.name = std::filesystem::path(program.path).stem().string();
  if (program.startsUnsaid)
    model.choices.emplace_back("states", "begin at zero");
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += (said.empty() ? "" : "; ") + printable(diagnostic.str(), 512);
    return success();
  });
  model.module = npz::parseNetwork(context, written.text, model.name,
                                   std::move(written.constants));
  if (!model.module || failed(mlir::verify(*model.module)))
    throw Error(fmt::format("{}: the step cannot be a network: {}",
                            program.path, said));
  return model;
}

static ImportedModel importTorch(MLIRContext &context, const std::string &path,
                                 const ImportOptions &) {
  return importTorchProgram(context, torch::readProgram(path));
}

Importer torchImporter() {
  return {{".pt2"},
          "a step function of PyTorch, as torch.export.save writes it",
          importTorch};
}

} // namespace dendrolith
