// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/Engines.h"

#include "dialects/dend/Constants.h"

using namespace mlir;

namespace dendrolith {

/// Reads the population's dend.cuba parameters by position in the op.
FailureOr<CubaTable> readCuba(dend::PopulationOp population,
                              dend::NeuronOp model) {
  CubaTable table;
  table.op = *model.getBlock().getOps<dend::CubaOp>().begin();
  auto argument = [&](Value value) -> FailureOr<std::vector<int64_t>> {
    for (auto [i, arg] : llvm::enumerate(model.getParamArgs()))
      if (arg == value && population.getParamsAttr())
        return dend::readInts(population, population.getParamsAttr().get(
                                              model.getParam(i).getName()));
    return failure();
  };
  auto state = [&](Value value) -> FailureOr<std::vector<int64_t>> {
    for (auto [i, arg] : llvm::enumerate(model.getStateArgs()))
      if (arg == value) {
        Attribute init = model.getState(i).getInit();
        if (!init)
          return std::vector<int64_t>();
        if (auto number = dyn_cast<IntegerAttr>(init))
          return std::vector<int64_t>{number.getInt()};
        return dend::readInts(model, init);
      }
    return failure();
  };
  struct Field {
    const char *name;
    FailureOr<std::vector<int64_t>> values;
    std::vector<int64_t> *into;
  };
  Field fields[] = {
      {"decay_u", argument(table.op.getDecayU()), &table.decayU},
      {"decay_v", argument(table.op.getDecayV()), &table.decayV},
      {"threshold", argument(table.op.getThreshold()), &table.threshold},
      {"bias", argument(table.op.getBias()), &table.bias},
      {"initial u", state(table.op.getU()), &table.startU},
      {"initial v", state(table.op.getV()), &table.startV}};
  for (Field &field : fields) {
    if (failed(field.values))
      return population.emitError("its ")
             << field.name << " has no readable integer value";
    if (field.values->size() > 1 &&
        field.values->size() != static_cast<size_t>(population.getSize()))
      return population.emitError("its ")
             << field.name << " has " << field.values->size() << " values for "
             << population.getSize() << " neurons";
    *field.into = std::move(*field.values);
  }
  return table;
}

FailureOr<int64_t> scheduled(Operation *op, std::optional<uint64_t> value,
                             StringAttr name) {
  if (!value)
    return op->emitError("has no '")
           << name.getValue() << "'; run --dend-schedule first";
  return int64_t(*value);
}

} // namespace dendrolith
