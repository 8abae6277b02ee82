// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Statistics.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Builders.h"

#include <algorithm>

using namespace mlir;

namespace neurite {

void recordStatistics(dend::NetworkOp network) {
  int64_t parameters = 0, bytes = 0, weights = 0, zeros = 0, dense = 0;
  for (auto constant : network.getOps<dend::ConstantOp>()) {
    auto type = cast<RankedTensorType>(constant.getType());
    parameters += type.getNumElements();
    if (type.getElementType().isIntOrFloat())
      bytes +=
          type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  }
  llvm::DenseSet<Operation *> counted; // a shared constant is one parameter
  for (auto project : network.getOps<dend::ProjectOp>()) {
    auto constant =
        project.getWeightAttr()
            ? SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(
                  project, project.getWeightAttr())
            : dend::ConstantOp();
    if (!constant)
      continue;
    auto type = cast<RankedTensorType>(constant.getType());
    dense += type.getNumElements();
    if (!counted.insert(constant).second)
      continue;
    weights += type.getNumElements();
    auto values = constant.getValueAttr()
                      ? dend::readReals(constant.getValueAttr())
                      : FailureOr<std::vector<double>>(failure());
    if (succeeded(values))
      zeros += std::count(values->begin(), values->end(), 0.0);
  }
  Builder builder(network.getContext());
  auto entry = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  network->setAttr(
      "statistics",
      builder.getDictionaryAttr(
          {entry("parameters", parameters), entry("parameter_bytes", bytes),
           entry("connection_weights", weights), entry("zero_weights", zeros),
           entry("dense_synops_per_tick", dense)}));
}

} // namespace neurite
