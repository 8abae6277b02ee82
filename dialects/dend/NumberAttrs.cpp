// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/NumberAttrs.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith::dend {

double unitsOf(PopulationOp population, StringRef attribute, StringRef name) {
  auto all = population->getAttrOfType<DictionaryAttr>(attribute);
  auto units = all ? all.getAs<FloatAttr>(name) : FloatAttr();
  return units ? units.getValueAsDouble() : 1;
}

void multiplyUnits(PopulationOp population, StringRef attribute, StringRef name,
                   double factor) {
  NamedAttrList all(population->getAttrOfType<DictionaryAttr>(attribute));
  Builder builder(population.getContext());
  all.set(name, builder.getF64FloatAttr(unitsOf(population, attribute, name) *
                                        factor));
  population->setAttr(attribute, all.getDictionary(population.getContext()));
}

void copyUnits(PopulationOp from, PopulationOp to) {
  for (StringRef attribute : {kPortUnits, kStateUnits, kOutputUnits})
    if (Attribute units = from->getAttr(attribute))
      to->setAttr(attribute, units);
}

bool areUnits(Attribute attribute) {
  auto all = llvm::dyn_cast<DictionaryAttr>(attribute);
  return all && llvm::all_of(all, [](NamedAttribute entry) {
           auto units = llvm::dyn_cast<FloatAttr>(entry.getValue());
           return units && units.getType().isF64() &&
                  units.getValueAsDouble() > 0;
         });
}

} // namespace dendrolith::dend
