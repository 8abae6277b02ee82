// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/Messages.h"

#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/ValueFormats.h"

#include "dialects/dend/NetworkIndex.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith {
namespace {

constexpr uint64_t kMessageBits = 16;
constexpr unsigned kRoom = 1;

bool feeds(dend::PopulationOp population, dend::OutputAttr output) {
  return llvm::any_of(dend::projectionsOutOf(population),
                      [&](dend::ProjectOp project) {
                        return project.getOutput().value_or(output.getName()) ==
                               output.getName();
                      });
}

} // namespace

bool sendsReals(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (auto [i, value] : llvm::enumerate(yield.getEmitted()))
    if (dend::isReal(value.getType()) &&
        feeds(population, model.getOutput(unsigned(i))))
      return true;
  return false;
}

void chooseMessages(dend::PopulationOp population, const Target &chip) {
  dend::NeuronOp model = dend::modelOf(population);
  MLIRContext *context = model.getContext();
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  uint64_t bits = kMessageBits;
  if (chip.spikes.graded)
    bits = std::min(bits, chip.spikes.payloadBits);
  int64_t high = (int64_t(1) << (bits - 1)) - 1;
  NamedAttrList formats;
  SmallVector<Attribute> outputs;
  for (auto [i, value] : llvm::enumerate(yield.getEmitted())) {
    dend::OutputAttr output = model.getOutput(unsigned(i));
    if (dend::isReal(value.getType()) && feeds(population, output)) {
      dend::FxType format = formatFor(context, seenMagnitude(population, value),
                                      unsigned(bits), kRoom);
      formats.set(output.getName(), TypeAttr::get(format));
      output = dend::OutputAttr::get(context, output.getName(),
                                     dend::intSpike(context, -high, high),
                                     output.getElements());
    }
    outputs.push_back(output);
  }
  model.setOutputsAttr(ArrayAttr::get(context, outputs));
  model.setMessagesAttr(formats.getDictionary(context));
}

dend::FxType messageFormat(dend::NeuronOp model, StringRef output) {
  DictionaryAttr formats = model.getMessagesAttr();
  auto format = formats ? formats.getAs<TypeAttr>(output) : TypeAttr();
  return format ? dyn_cast<dend::FxType>(format.getValue()) : dend::FxType();
}

void clearMessages(dend::NetworkOp network) {
  for (auto model : network.getOps<dend::NeuronOp>())
    model.removeMessagesAttr();
}

} // namespace dendrolith
