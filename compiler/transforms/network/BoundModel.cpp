// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/BoundModel.h"

#include "compiler/transforms/network/Names.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith {

ArrayRef<double> BoundRows::row(int64_t neuron) const {
  return ArrayRef<double>(values).slice(
      perNeuron ? size_t(neuron) * width() : 0, width());
}

BoundModel::BoundModel(dend::NeuronOp model)
    : model(model), network(model->getParentOfType<dend::NetworkOp>()),
      symbols(network) {
  for (auto population : network.getOps<dend::PopulationOp>())
    if (population.getModel() == model.getSymName())
      populations.push_back(population);
}

dend::ConstantOp BoundModel::constant(Attribute symbol) const {
  auto name = dyn_cast_or_null<FlatSymbolRefAttr>(symbol);
  return name ? lookup(name.getValue()) : dend::ConstantOp();
}

Attribute BoundModel::bound(dend::PopulationOp population,
                            StringRef name) const {
  DictionaryAttr params = population.getParamsAttr();
  return params ? params.get(name) : Attribute();
}

void BoundModel::bind(dend::PopulationOp population, StringRef name,
                      Attribute value) {
  NamedAttrList all(population.getParamsAttr());
  if (value)
    all.set(name, value);
  else
    all.erase(name);
  population.setParamsAttr(all.getDictionary(population.getContext()));
}

FlatSymbolRefAttr BoundModel::addConstant(Operation *place, StringRef name,
                                          RankedTensorType type,
                                          ElementsAttr value) {
  OpBuilder builder(place);
  auto op = dend::ConstantOp::create(
      builder, place->getLoc(), builder.getStringAttr(name),
      TypeAttr::get(type), value, StringAttr(), DenseI64ArrayAttr());
  // Where the name is taken, the table gives another one.
  return FlatSymbolRefAttr::get(symbols.insert(op));
}

std::optional<unsigned> BoundModel::parameter(Value value) const {
  auto params = dend::NeuronOp(model).getParamArgs();
  for (auto [i, argument] : llvm::enumerate(params))
    if (argument == value)
      return unsigned(i);
  return std::nullopt;
}

bool BoundModel::hasElements(Value value) const {
  std::optional<unsigned> param = parameter(value);
  if (!param || populations.empty())
    return false;
  StringAttr name = dend::NeuronOp(model).getParam(*param).getName();
  return llvm::all_of(populations, [&](dend::PopulationOp population) {
    dend::ConstantOp op = constant(bound(population, name));
    return op && op.getValue() && succeeded(dend::readReals(*op.getValue()));
  });
}

BoundRows BoundModel::rows(dend::PopulationOp population, Value param) const {
  auto attr = dend::NeuronOp(model).getParam(*parameter(param));
  dend::ConstantOp op = constant(bound(population, attr.getName()));
  BoundRows rows{*dend::readReals(*op.getValue()), attr.getPerNeuron(),
                 attr.getPerNeuron() ? int64_t(population.getSize()) : 1};
  // Real elements of a complex constant have no imaginary part.
  auto count = size_t(cast<RankedTensorType>(op.getType()).getNumElements());
  if (dend::isComplex(op.getType()) && rows.values.size() == count) {
    std::vector<double> pairs(2 * count, 0.0);
    for (size_t i = 0; i < count; ++i)
      pairs[2 * i] = rows.values[i];
    rows.values = std::move(pairs);
  }
  return rows;
}

bool BoundModel::isUsedElsewhere(dend::ConstantOp constant,
                                 dend::PopulationOp population) const {
  dend::NetworkOp scope = network;
  auto uses = SymbolTable::getSymbolUses(constant.getSymNameAttr(), scope);
  return !uses || llvm::range_size(*uses) != 1 ||
         uses->begin()->getUser() != population;
}

void BoundModel::setRows(dend::PopulationOp population, unsigned param,
                         Type type, const BoundRows &rows) {
  auto attr = model.getParam(param);
  SmallVector<int64_t> shape(dend::shapeOf(type));
  if (rows.perNeuron)
    shape.insert(shape.begin(), rows.count);
  if (rows.perNeuron && !attr.getPerNeuron()) {
    SmallVector<Attribute> params(model.getParams().getValue());
    params[param] =
        dend::ParamAttr::get(model.getContext(), attr.getName(), true);
    model.setParamsAttr(ArrayAttr::get(model.getContext(), params));
  }
  auto tensor = RankedTensorType::get(shape, dend::elementType(type));
  dend::ConstantOp old = constant(bound(population, attr.getName()));
  if (old && !isUsedElsewhere(old, population)) {
    old.setType(tensor);
    old.setValueAttr(dend::makeElements(tensor, old.getSymName(), rows.values));
    return;
  }
  std::string name =
      (population.getSymName() + "." + attr.getName().getValue()).str();
  bind(population, attr.getName(),
       addConstant(population, name, tensor,
                   dend::makeElements(tensor, name, rows.values)));
}

BlockArgument BoundModel::addParameter(StringRef name, Type type) {
  auto count = unsigned(model.getPorts().size() + model.getParams().size());
  SmallVector<Attribute> params(model.getParams().getValue());
  MLIRContext *context = model.getContext();
  params.push_back(
      dend::ParamAttr::get(context, StringAttr::get(context, name), false));
  model.setParamsAttr(ArrayAttr::get(context, params));
  return model.getBlock().insertArgument(count, type, model.getLoc());
}

void BoundModel::eraseParameter(unsigned param) {
  StringAttr name = model.getParam(param).getName();
  SmallVector<Attribute> params(model.getParams().getValue());
  model.getBlock().eraseArgument(unsigned(model.getPorts().size()) + param);
  params.erase(params.begin() + param);
  model.setParamsAttr(ArrayAttr::get(model.getContext(), params));
  for (dend::PopulationOp population : populations) {
    dend::ConstantOp old = constant(bound(population, name));
    bind(population, name, Attribute());
    if (old && SymbolTable::symbolKnownUseEmpty(old, network))
      eraseConstant(old);
  }
}

bool BoundModel::isProbed(unsigned state) const {
  StringAttr name = dend::NeuronOp(model).getState(state).getName();
  for (auto output : dend::NetworkOp(network).getOps<dend::OutputOp>())
    if (output.getProbe() && output.getFromAttr() == name)
      for (dend::PopulationOp population : populations)
        if (population.getSymName() == output.getPopulation())
          return true;
  return false;
}

std::optional<unsigned> BoundModel::ownState(Operation *op, Value state,
                                             Value next) {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
    if (argument != state)
      continue;
    Attribute init = model.getState(i).getInit();
    auto number = dyn_cast_or_null<FloatAttr>(init);
    bool zero = !init || (number && number.getValue().isZero());
    if (zero && state.hasOneUse() && *state.getUsers().begin() == op &&
        next.hasOneUse() && yield.getStates()[i] == next)
      return unsigned(i);
  }
  return std::nullopt;
}

dend::NeuronOp copyModel(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  auto network = population->getParentOfType<dend::NetworkOp>();
  OpBuilder builder(model);
  auto own = cast<dend::NeuronOp>(builder.clone(*model.getOperation()));
  own.setSymName(freeName(
      network, (population.getSymName() + "." + model.getSymName()).str()));
  population.setModel(own.getSymName());
  return own;
}

} // namespace dendrolith
