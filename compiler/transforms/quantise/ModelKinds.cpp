// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/ModelKinds.h"

#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/Messages.h"

using namespace mlir;

namespace dendrolith {

static bool isInteger(dend::NeuronOp model) {
  auto isReal = [](Type type) {
    return dend::isReal(type) || dend::isComplex(type);
  };
  WalkResult walked = model.getBlock().walk([&](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isReal) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return !walked.wasInterrupted() &&
         llvm::none_of(model.getBlock().getArgumentTypes(), isReal);
}

ModelKind kindOf(dend::PopulationOp population, std::string *reason) {
  dend::NeuronOp model = dend::modelOf(population);
  if (isInteger(model))
    return ModelKind::Integer;
  std::string said;
  ScopedDiagnosticHandler handler(population.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (said.empty())
                                      said = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(matchCuba(model, population))) {
    if (!sendsReals(population))
      return ModelKind::Cuba;
    said = "population '@" + population.getSymName().str() +
           "' sends real values to other neurons; a target with programmable "
           "neurons is needed";
  }
  if (reason)
    *reason = said;
  return ModelKind::Body;
}

} // namespace dendrolith
