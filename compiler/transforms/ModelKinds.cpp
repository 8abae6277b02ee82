// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/ModelKinds.h"

#include "compiler/transforms/CubaShape.h"

using namespace mlir;

namespace neurite {

dend::NeuronOp modelOf(dend::PopulationOp population) {
  return SymbolTable::lookupNearestSymbolFrom<dend::NeuronOp>(
      population, population.getModelAttr());
}

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

ModelKind kindOf(dend::PopulationOp population) {
  dend::NeuronOp model = modelOf(population);
  if (isInteger(model))
    return ModelKind::Integer;
  ScopedDiagnosticHandler silent(population.getContext(),
                                 [](Diagnostic &) { return success(); });
  return succeeded(matchCuba(model, population)) ? ModelKind::Cuba
                                                 : ModelKind::Body;
}

} // namespace neurite
