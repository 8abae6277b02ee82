// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/TraceUnits.h"

#include "dialects/dend/NumberAttrs.h"
#include "runtime/session/Recording.h"

#include <cmath>

namespace dendrolith::session {

/// Units per real unit of a fixed-point format; 1 of any other type.
static double unitsOfType(mlir::Type type) {
  dend::FxType format = dend::fixedType(type);
  return format ? std::ldexp(1.0, -format.getExponent()) : 1;
}

double unitsOfState(dend::PopulationOp population, unsigned state) {
  mlir::Type type = dend::modelOf(population).getStateArgs()[state].getType();
  if (dend::isReal(type) || dend::isComplex(type))
    return 1;
  if (std::optional<llvm::APFloat> scale = population.getScale())
    return scale->convertToDouble();
  dend::NeuronOp model = dend::modelOf(population);
  return unitsOfType(type) *
         dend::unitsOf(population, dend::kStateUnits,
                       model.getState(state).getName().getValue());
}

double unitsOfOutput(dend::PopulationOp population, unsigned output) {
  dend::NeuronOp model = dend::modelOf(population);
  auto yield = mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
  return unitsOfType(yield.getEmitted()[output].getType()) *
         dend::unitsOf(population, dend::kOutputUnits,
                       model.getOutput(output).getName().getValue());
}

nlohmann::ordered_json
traceUnits(dend::NetworkOp network,
           const std::vector<sim::TraceRequest> &requests) {
  nlohmann::ordered_json units = nlohmann::ordered_json::object();
  const std::vector<sim::Traceable> traceables = traceablesOf(network);
  for (const sim::TraceRequest &request : requests) {
    const sim::TraceSource source = sim::resolveTrace(request, traceables);
    auto population = network.lookupSymbol<dend::PopulationOp>(
        traceables[source.population].population);
    dend::NeuronOp model = dend::modelOf(population);
    units[sim::textOf(request)] =
        source.emitted
            ? unitsOfOutput(population, unsigned(model.findOutput(source.name)))
            : unitsOfState(population, unsigned(model.findState(source.name)));
  }
  return units;
}

} // namespace dendrolith::session
