// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-quantise: float network in, integer network out. Per population:
// recognise the neuron (CubaShape), choose a scale (LayerScale), rewrite
// (QuantisedLayer).

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/QuantisedLayer.h"

#include "targets/Target.h"

namespace neurite {
#define GEN_PASS_DEF_DENDQUANTISE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

constexpr uint64_t kInputBits = 8, kLeastInputBits = 2, kMostInputBits = 24;

/// Spikes of real-valued inputs: binary, or integers of `bits` bits (0: the
/// usual ones, if the target's payload has as many).
LogicalResult quantiseInput(dend::InputOp input, const Target &chip,
                            uint64_t bits) {
  if (input.getSpike() != dend::gradedSpike(input.getContext()))
    return success();
  if (bits && chip.spikes.graded && bits > chip.spikes.payloadBits)
    return input.emitError("input '@")
           << input.getSymName() << "' is to have " << bits
           << " bits, a payload of target '" << chip.name << "' has "
           << chip.spikes.payloadBits << "; use fewer input bits";
  InputFormat format = chooseInputFormat(
      input, chip, bits ? bits : std::min(kInputBits, chip.spikes.payloadBits));
  MLIRContext *context = input.getContext();
  input.setSpikeAttr(TypeAttr::get(
      format.binary ? dend::binarySpike(context)
                    : dend::intSpike(context, format.low, format.high)));
  if (!format.binary)
    input.setScaleAttr(FloatAttr::get(Float64Type::get(context), format.scale));
  return success();
}

/// Whether a model computes in integers already: there is nothing to choose.
bool isInteger(dend::PopulationOp population) {
  auto model = SymbolTable::lookupNearestSymbolFrom<dend::NeuronOp>(
      population, population.getModelAttr());
  auto isReal = [](Type type) {
    return dend::isReal(type) || isa<ComplexType>(dend::elementType(type));
  };
  WalkResult walked = model.getBlock().walk([&](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isReal) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return !walked.wasInterrupted() &&
         llvm::none_of(model.getBlock().getArgumentTypes(), isReal);
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
    if (inputBits &&
        (inputBits < kLeastInputBits || inputBits > kMostInputBits)) {
      emitError(network.getLoc())
          << "input bits: expected " << kLeastInputBits << " to "
          << kMostInputBits << ", found " << inputBits.getValue();
      return signalPassFailure();
    }
    for (auto input : network.getOps<dend::InputOp>())
      if (failed(quantiseInput(input, *chip, inputBits)))
        return signalPassFailure();
    // Analyse every population before rewriting any: a projection's source
    // must still have its float model when its target is analysed.
    std::vector<QuantisedLayer> layers;
    for (auto population : network.getOps<dend::PopulationOp>()) {
      if (isInteger(population))
        continue;
      auto layer = analyseLayer(population, *chip);
      if (failed(layer))
        return signalPassFailure();
      layers.push_back(std::move(*layer));
    }
    SmallVector<Attribute> report;
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
