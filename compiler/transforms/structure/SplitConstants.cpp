// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/SplitConstants.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith {

std::string partName(StringRef name, bool imaginary) {
  return name.str() + (imaginary ? ".im" : ".re");
}

SplitConstants::SplitConstants(dend::NeuronOp model) : all(model) {}

bool SplitConstants::canSplit() {
  dend::NeuronOp model = all.model;
  for (BlockArgument argument : model.getParamArgs())
    if (dend::isComplex(argument.getType()) && !all.populations.empty() &&
        !all.hasElements(argument))
      return false;
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    Attribute init = model.getState(i).getInit();
    if (!dend::isComplex(argument.getType()) ||
        !isa_and_nonnull<FlatSymbolRefAttr>(init))
      continue;
    dend::ConstantOp op = all.constant(init);
    if (!op || !op.getValue() || failed(dend::readReals(*op.getValue())))
      return false;
  }
  return true;
}

FlatSymbolRefAttr SplitConstants::part(dend::ConstantOp constant,
                                       bool imaginary) {
  std::vector<double> both = *dend::readReals(*constant.getValue()), values;
  auto type = cast<RankedTensorType>(constant.getType());
  auto element = cast<ComplexType>(type.getElementType()).getElementType();
  // Real elements of a complex constant have no imaginary part.
  bool pairs = both.size() == size_t(2 * type.getNumElements());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(pairs       ? both[size_t(2 * i + imaginary)]
                     : imaginary ? 0.0
                                 : both[size_t(i)]);
  if (!llvm::is_contained(split, constant))
    split.push_back(constant);
  auto partType = RankedTensorType::get(type.getShape(), element);
  std::string name = partName(constant.getSymName(), imaginary);
  // Another parameter or model may have split this constant before.
  if (auto same = all.lookup(name))
    if (same.getType() == partType && same.getValue()) {
      auto found = dend::readReals(*same.getValue());
      if (succeeded(found) && *found == values)
        return FlatSymbolRefAttr::get(same.getSymNameAttr());
    }
  return all.addConstant(constant, name, partType,
                         dend::makeElements(partType, name, values));
}

void SplitConstants::splitParameter(StringRef name) {
  for (dend::PopulationOp population : all.populations) {
    dend::ConstantOp constant = all.constant(all.bound(population, name));
    all.bind(population, partName(name, false), part(constant, false));
    all.bind(population, partName(name, true), part(constant, true));
    all.bind(population, name, Attribute());
  }
}

std::pair<Attribute, Attribute> SplitConstants::splitInit(Attribute init) {
  if (dend::ConstantOp constant = all.constant(init))
    return {part(constant, false), part(constant, true)};
  // A single number is the real part.
  return {init, Attribute()};
}

void SplitConstants::bindRange(StringRef name, int64_t first, int64_t end) {
  for (dend::PopulationOp population : all.populations) {
    std::string symbol = (population.getSymName() + "." + name).str();
    int64_t size = int64_t(population.getSize());
    std::vector<int64_t> bits(size_t(size), 0);
    for (int64_t n = first; n < std::min(end, size); ++n)
      bits[size_t(n)] = 1;
    auto type = RankedTensorType::get(
        {size}, IntegerType::get(population.getContext(), 1));
    all.bind(population, name,
             all.addConstant(population, symbol, type,
                             dend::makeElements(type, symbol, bits)));
  }
}

void SplitConstants::eraseUnused() {
  for (dend::ConstantOp constant : split)
    if (SymbolTable::symbolKnownUseEmpty(constant, all.network))
      all.eraseConstant(constant);
}

} // namespace dendrolith
