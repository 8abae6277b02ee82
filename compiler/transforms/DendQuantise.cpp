// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-quantise: float network in, integer network out. A population that
// the fixed-function neuron runs: recognise it (CubaShape), choose a scale
// (LayerScale), rewrite (QuantisedLayer). Any other: QuantiseBody.

#include "compiler/transforms/ModelKinds.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/QuantiseBody.h"
#include "compiler/transforms/QuantisedLayer.h"

#include "targets/Target.h"

namespace neurite {
#define GEN_PASS_DEF_DENDQUANTISE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

/// Spikes of real-valued inputs: binary, or integers of the target's payload.
LogicalResult quantiseInput(dend::InputOp input, const Target &chip) {
  if (input.getSpike() != dend::gradedSpike(input.getContext()))
    return success();
  InputFormat format = chooseInputFormat(input, chip);
  MLIRContext *context = input.getContext();
  input.setSpikeAttr(TypeAttr::get(
      format.binary ? dend::binarySpike(context)
                    : dend::intSpike(context, format.low, format.high)));
  if (!format.binary)
    input.setScaleAttr(FloatAttr::get(Float64Type::get(context), format.scale));
  return success();
}

struct DendQuantisePass : impl::DendQuantiseBase<DendQuantisePass> {
  using DendQuantiseBase::DendQuantiseBase;

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    std::optional<Target> chip;
    try {
      chip = Target::load(target);
    } catch (const Error &error) {
      emitError(network.getLoc()) << error.what();
      return signalPassFailure();
    }
    for (auto input : network.getOps<dend::InputOp>())
      if (failed(quantiseInput(input, *chip)))
        return signalPassFailure();
    // Analyse every population before rewriting any: a projection's source
    // must still have its float model when its target is analysed.
    std::vector<QuantisedLayer> layers;
    std::vector<dend::PopulationOp> bodies;
    for (auto population : network.getOps<dend::PopulationOp>()) {
      ModelKind kind = kindOf(population);
      if (kind == ModelKind::Integer)
        continue;
      if (kind == ModelKind::Body && chip->engines.has("microcode")) {
        bodies.push_back(population);
        continue;
      }
      if (auto why =
              modelOf(population)->getAttrOfType<StringAttr>("not_cuba")) {
        population.emitError() << why.getValue();
        return signalPassFailure();
      }
      auto layer = analyseLayer(population, *chip);
      if (failed(layer))
        return signalPassFailure();
      layers.push_back(std::move(*layer));
    }
    SmallVector<Attribute> report;
    for (dend::PopulationOp population : bodies)
      if (failed(quantiseBody(population, *chip, report)))
        return signalPassFailure();
    for (QuantisedLayer &layer : layers)
      rewriteLayer(layer, *chip, report);
    for (auto output : network.getOps<dend::OutputOp>())
      if (failed(rewriteOutput(output, layers)))
        return signalPassFailure();
    eraseUnusedSymbols(network);
    network->setAttr("quantisation", ArrayAttr::get(&getContext(), report));
    for (Operation &op : network.getBody().front())
      clearCalibration(&op);
  }
};
} // namespace
} // namespace neurite
