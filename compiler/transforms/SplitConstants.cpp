// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/SplitConstants.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace neurite {

std::string partName(StringRef name, bool imaginary) {
  return name.str() + (imaginary ? ".im" : ".re");
}

SplitConstants::SplitConstants(dend::NeuronOp model)
    : model(model), network(model->getParentOfType<dend::NetworkOp>()),
      symbols(network) {
  for (auto population : network.getOps<dend::PopulationOp>())
    if (population.getModel() == model.getSymName())
      populations.push_back(population);
}

dend::ConstantOp SplitConstants::constant(Attribute symbol) const {
  auto name = dyn_cast_or_null<FlatSymbolRefAttr>(symbol);
  return name ? symbols.lookup<dend::ConstantOp>(name.getValue())
              : dend::ConstantOp();
}

bool SplitConstants::canSplit() {
  auto hasElements = [&](Attribute symbol) {
    dend::ConstantOp op = constant(symbol);
    return op && op.getValue() && succeeded(dend::readReals(*op.getValue()));
  };
  for (auto [i, argument] : llvm::enumerate(model.getParamArgs()))
    if (dend::isComplex(argument.getType()))
      for (dend::PopulationOp population : populations)
        if (!population.getParams() || !hasElements(population.getParams()->get(
                                           model.getParam(i).getName())))
          return false;
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    Attribute init = model.getState(i).getInit();
    if (dend::isComplex(argument.getType()) &&
        isa_and_nonnull<FlatSymbolRefAttr>(init) && !hasElements(init))
      return false;
  }
  return true;
}

FlatSymbolRefAttr SplitConstants::part(dend::ConstantOp whole, bool imaginary) {
  std::vector<double> both = *dend::readReals(*whole.getValue()), values;
  auto type = cast<RankedTensorType>(whole.getType());
  auto element = cast<ComplexType>(type.getElementType()).getElementType();
  // Real elements of a complex constant have no imaginary part.
  bool pairs = both.size() == size_t(2 * type.getNumElements());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(pairs       ? both[size_t(2 * i + imaginary)]
                     : imaginary ? 0.0
                                 : both[size_t(i)]);
  if (!llvm::is_contained(split, whole))
    split.push_back(whole);
  auto partType = RankedTensorType::get(type.getShape(), element);
  std::string name = partName(whole.getSymName(), imaginary);
  // Another parameter or model may have split it before.
  if (auto same = symbols.lookup<dend::ConstantOp>(name))
    if (same.getType() == partType && same.getValue()) {
      auto found = dend::readReals(*same.getValue());
      if (succeeded(found) && *found == values)
        return FlatSymbolRefAttr::get(same.getSymNameAttr());
    }
  OpBuilder builder(whole);
  auto op = dend::ConstantOp::create(
      builder, whole.getLoc(), builder.getStringAttr(name),
      TypeAttr::get(partType), dend::makeElements(partType, name, values),
      StringAttr(), DenseI64ArrayAttr());
  // The table renames on a clash.
  return FlatSymbolRefAttr::get(symbols.insert(op));
}

void SplitConstants::bind(dend::PopulationOp population, StringRef name,
                          Attribute value) {
  NamedAttrList bound(population.getParamsAttr());
  if (value)
    bound.set(name, value);
  else
    bound.erase(name);
  population.setParamsAttr(bound.getDictionary(population.getContext()));
}

void SplitConstants::splitParameter(StringRef name) {
  for (dend::PopulationOp population : populations) {
    dend::ConstantOp whole = constant(population.getParams()->get(name));
    bind(population, partName(name, false), part(whole, false));
    bind(population, partName(name, true), part(whole, true));
    bind(population, name, Attribute());
  }
}

std::pair<Attribute, Attribute> SplitConstants::splitInit(Attribute init) {
  if (dend::ConstantOp whole = constant(init))
    return {part(whole, false), part(whole, true)};
  // A number is the real part.
  return {init, Attribute()};
}

void SplitConstants::bindRange(StringRef name, int64_t first, int64_t end) {
  for (dend::PopulationOp population : populations) {
    std::string symbol = (population.getSymName() + "." + name).str();
    int64_t size = int64_t(population.getSize());
    std::vector<int64_t> bits(size_t(size), 0);
    for (int64_t n = first; n < std::min(end, size); ++n)
      bits[size_t(n)] = 1;
    OpBuilder builder(population);
    auto type = RankedTensorType::get({size}, builder.getI1Type());
    auto op = dend::ConstantOp::create(
        builder, population.getLoc(), builder.getStringAttr(symbol),
        TypeAttr::get(type), dend::makeElements(type, symbol, bits),
        StringAttr(), DenseI64ArrayAttr());
    bind(population, name, FlatSymbolRefAttr::get(symbols.insert(op)));
  }
}

void SplitConstants::eraseUnused() {
  for (dend::ConstantOp whole : split)
    if (SymbolTable::symbolKnownUseEmpty(whole, network))
      symbols.erase(whole);
}

} // namespace neurite
