// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/Rescale.h"

#include "compiler/pipelines/few_bits/RealConstant.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/CubaShape.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"

#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

Value emittedBy(dend::NeuronOp model, dend::ProjectOp project) {
  int output = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  return yieldOf(model).getEmitted()[output];
}

Value portOf(dend::NeuronOp model, dend::ProjectOp project) {
  return model.getPortArgs()[model.findPort(project.getPort())];
}

bool isAlone(dend::PopulationOp population) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  return llvm::none_of(
      network.getOps<dend::PopulationOp>(), [&](dend::PopulationOp other) {
        return other != population && other.getModel() == population.getModel();
      });
}

class Rescaler {
public:
  Rescaler(dend::PopulationOp population, const Degrees &degrees, double factor)
      : population(population), model(dend::modelOf(population)),
        degrees(degrees), factor(factor) {}

  void run() {
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      const double by = power(portOf(model, project));
      if (by == 1)
        continue;
      project.setWeightAttr(times(project.getWeightAttr(), by));
      if (FlatSymbolRefAttr bias = project.getBiasAttr())
        project.setBiasAttr(times(bias, by));
    }
    for (dend::ProjectOp project : dend::projectionsOutOf(population))
      if (const double by = power(emittedBy(model, project)); by != 1)
        project.setWeightAttr(times(project.getWeightAttr(), 1 / by));
    for (auto [i, port] : llvm::enumerate(model.getPortArgs()))
      note(dend::kPortUnits, model.getPort(unsigned(i)).getName(), power(port));
    scaleParams();
    scaleStates();
    scaleRanges();
    for (auto [i, value] : llvm::enumerate(yieldOf(model).getEmitted()))
      note(dend::kOutputUnits, model.getOutput(unsigned(i)).getName(),
           power(value));
  }

private:
  double power(Value value) const {
    return std::pow(factor, degrees.of(value));
  }

  FlatSymbolRefAttr times(FlatSymbolRefAttr symbol, double by) {
    auto constant = dend::symbolOf<dend::ConstantOp>(population, symbol);
    auto values = dend::readReals(population, symbol);
    for (double &value : *values)
      value *= by;
    return makeReals(population, (symbol.getValue() + ".scaled").str(),
                     cast<RankedTensorType>(constant.getType()).getShape(),
                     *values);
  }

  void scaleParams() {
    NamedAttrList bound(population.getParamsAttr());
    for (auto [i, param] : llvm::enumerate(model.getParamArgs())) {
      const double by = power(param);
      StringAttr name = model.getParam(unsigned(i)).getName();
      if (by != 1)
        bound.set(name, times(cast<FlatSymbolRefAttr>(bound.get(name)), by));
    }
    if (!bound.empty())
      population.setParamsAttr(bound.getDictionary(population.getContext()));
  }

  void scaleStates() {
    SmallVector<Attribute> states;
    for (auto [i, state] : llvm::enumerate(model.getStateArgs())) {
      dend::StateAttr attr = model.getState(unsigned(i));
      const double by = power(state);
      note(dend::kStateUnits, attr.getName(), by);
      Attribute init = attr.getInit();
      if (by != 1 && init) {
        if (auto number = dyn_cast<FloatAttr>(init))
          init =
              FloatAttr::get(number.getType(), number.getValueAsDouble() * by);
        else
          init = times(cast<FlatSymbolRefAttr>(init), by);
        attr = dend::StateAttr::get(model.getContext(), attr.getName(),
                                    attr.getReset(), init);
      }
      states.push_back(attr);
    }
    model.setStatesAttr(ArrayAttr::get(model.getContext(), states));
  }

  void scaleRanges() {
    auto scaleNamed = [&](StringRef name, Value value) {
      if (auto range = getCalibration(population, name)) {
        const double by = power(value);
        setCalibration(population, name, {range->low * by, range->high * by});
      }
    };
    for (auto [i, port] : llvm::enumerate(model.getPortArgs()))
      scaleNamed(model.getPort(unsigned(i)).getName(), port);
    for (auto [i, state] : llvm::enumerate(model.getStateArgs()))
      scaleNamed(model.getState(unsigned(i)).getName(), state);
    model.getBlock().walk([&](Operation *op) {
      for (OpResult result : op->getResults())
        if (auto range = getCalibration(result)) {
          const double by = power(result);
          setCalibration(result, {range->low * by, range->high * by});
        }
    });
  }

  void note(StringRef attribute, StringAttr name, double by) {
    if (by != 1)
      dend::multiplyUnits(population, attribute, name, by);
  }

  dend::PopulationOp population;
  dend::NeuronOp model;
  const Degrees &degrees;
  double factor;
};

/// Whether all that would have to change is there to be changed.
bool canChange(dend::PopulationOp population, const Degrees &degrees) {
  dend::NeuronOp model = dend::modelOf(population);
  auto isReadable = [&](Attribute symbol) {
    return isa_and_present<FlatSymbolRefAttr>(symbol) &&
           succeeded(dend::readReals(population, symbol));
  };
  for (dend::ProjectOp project : dend::projectionsInto(population))
    if (degrees.of(portOf(model, project)) != 0 &&
        !isReadable(project.getWeightAttr()))
      return false;
  for (dend::ProjectOp project : dend::projectionsOutOf(population))
    if (degrees.of(emittedBy(model, project)) != 0 &&
        !isReadable(project.getWeightAttr()))
      return false;
  DictionaryAttr bound = population.getParamsAttr();
  for (auto [i, param] : llvm::enumerate(model.getParamArgs()))
    if (degrees.of(param) != 0 &&
        !(bound &&
          isReadable(bound.get(model.getParam(unsigned(i)).getName()))))
      return false;
  return true;
}

} // namespace

std::optional<Degrees> freeUnitOf(dend::PopulationOp population,
                                  StringRef port) {
  if (kindOf(population) != ModelKind::Body || !isAlone(population))
    return std::nullopt;
  auto degrees = Degrees::of(dend::modelOf(population), port);
  if (degrees && !canChange(population, *degrees))
    return std::nullopt;
  return degrees;
}

void rescale(dend::PopulationOp population, const Degrees &degrees,
             double factor) {
  Rescaler(population, degrees, factor).run();
}

} // namespace dendrolith
