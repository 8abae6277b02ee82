// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/RealModes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith {
namespace {

/// Gives the real or the imaginary parts of (re, im) pairs.
BoundRows part(BoundRows rows, bool imaginary) {
  std::vector<double> parts;
  for (size_t i = imaginary; i < rows.values.size(); i += 2)
    parts.push_back(rows.values[i]);
  rows.values = std::move(parts);
  return rows;
}

bool isRealEverywhere(const BoundModel &model, Value param) {
  return llvm::all_of(model.populations, [&](dend::PopulationOp population) {
    return llvm::all_of(part(model.rows(population, param), true).values,
                        [](double im) { return im == 0; });
  });
}

} // namespace

void makeModesReal(BoundModel &model, dend::BranchOp op) {
  Value A = op.getA(), C = op.getC();
  if (!dend::isComplex(op.getState().getType()) || op.getG() ||
      !A.hasOneUse() || !C.hasOneUse() || !model.hasElements(A) ||
      !model.hasElements(C) || !isRealEverywhere(model, A))
    return;
  auto state = model.ownState(op, op.getState(), op.getNext());
  if (!state || model.isProbed(*state))
    return;
  Type type = op.getState().getType();
  type = dend::withElementType(
      type, cast<ComplexType>(dend::elementType(type)).getElementType());
  for (Value param : {A, C}) {
    SmallVector<BoundRows> rows;
    for (dend::PopulationOp population : model.populations)
      rows.push_back(part(model.rows(population, param), false));
    for (auto [population, values] : llvm::zip(model.populations, rows))
      model.setRows(population, *model.parameter(param), type, values);
  }
  for (Value value : {A, C, Value(op.getState()), Value(op.getNext())})
    value.setType(type);
}

} // namespace dendrolith
