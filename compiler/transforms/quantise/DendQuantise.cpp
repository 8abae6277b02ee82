// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-quantise: float network in, integer network out. A population that
// the fixed-function neuron runs: recognise it (CubaShape), choose a scale
// (LayerScale), rewrite (QuantisedLayer). Any other: QuantiseBody.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "compiler/transforms/quantise/Messages.h"
#include "compiler/transforms/quantise/QuantiseBody.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"

#include "dialects/dend/NetworkIndex.h"

#include <deque>

namespace dendrolith {
#define GEN_PASS_DEF_DENDQUANTISE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

/// Spikes of real-valued inputs: binary, or integers.
void quantiseInput(dend::InputOp input, const Target &chip) {
  if (input.getSpike() != dend::gradedSpike(input.getContext()))
    return;
  InputFormat format = chooseInputFormat(input, chip);
  MLIRContext *context = input.getContext();
  input.setSpikeAttr(TypeAttr::get(
      format.binary ? dend::binarySpike(context)
                    : dend::intSpike(context, format.low, format.high)));
  if (!format.binary)
    input.setScaleAttr(FloatAttr::get(Float64Type::get(context), format.scale));
}

/// Says behind each row of weights how they were chosen, where they were
/// before.
void addReasons(dend::NetworkOp network, const WeightChoices &choices,
                SmallVectorImpl<report::QuantRowAttr> &report) {
  // What is still to be said, by "source->layer"; of several in their order.
  llvm::StringMap<std::deque<const ChosenWeights *>> left;
  auto key = [](StringRef source, StringRef layer) {
    return (source + "->" + layer).str();
  };
  for (auto project : network.getOps<dend::ProjectOp>())
    if (const ChosenWeights *chosen = choices.find(project))
      left[key(project.getSource(), project.getTarget())].push_back(chosen);
  for (report::QuantRowAttr &row : report) {
    report::QuantRowAttr::Fields fields = row.fields();
    auto found = left.find(key(fields.source, fields.layer));
    if (found == left.end() || found->second.empty())
      continue;
    fields.detail += "; " + found->second.front()->how;
    found->second.pop_front();
    row = report::QuantRowAttr::of(network.getContext(), fields);
  }
}

/// A current-based neuron's only output has another name than in its float
/// model.
void renameOutputs(dend::NetworkOp network) {
  for (auto project : network.getOps<dend::ProjectOp>()) {
    auto source =
        dend::symbolOf<dend::PopulationOp>(project, project.getSourceAttr());
    if (!source || !project.getOutput())
      continue;
    dend::NeuronOp model = dend::modelOf(source);
    if (model.findOutput(*project.getOutput()) < 0 &&
        model.getOutputs().size() == 1)
      project.setOutputAttr(model.getOutput(0).getName());
  }
}

struct DendQuantisePass : impl::DendQuantiseBase<DendQuantisePass> {
  using DendQuantiseBase::DendQuantiseBase;
  DendQuantisePass(DendQuantiseOptions options, SharedTarget chip,
                   std::shared_ptr<const WeightChoices> choices)
      : DendQuantiseBase(std::move(options)), chip(std::move(chip)),
        choices(std::move(choices)) {}

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    const Target *onto = nullptr;
    try {
      onto = &chip.getOr(target);
    } catch (const Error &error) {
      emitError(network.getLoc()) << error.what();
      return signalPassFailure();
    }
    {
      dend::NetworkIndex index(network);
      if (failed(setWeightBits(network, weightBits, *onto)) ||
          failed(setStateBits(network, stateBits, *onto)) ||
          failed(setInputBits(network, inputBits)))
        return signalPassFailure();
    }
    for (auto input : network.getOps<dend::InputOp>())
      quantiseInput(input, *onto);
    SmallVector<report::QuantRowAttr> report;
    if (failed(quantise(network, *onto, choices ? *choices : WeightChoices(),
                        report)))
      return signalPassFailure();
    clearMessages(network);
    eraseUnusedSymbols(network);
    network.setQuantisationAttr(ArrayAttr::get(
        &getContext(), SmallVector<Attribute>(report.begin(), report.end())));
    for (Operation &op : network.getBody().front())
      if (!isa<dend::PopulationOp>(op)) // those keep what decided
        clearCalibration(&op);
  }

private:
  /// Populations, projections and outputs; what they no longer use stays.
  static LogicalResult quantise(dend::NetworkOp network, const Target &onto,
                                const WeightChoices &choices,
                                SmallVectorImpl<report::QuantRowAttr> &report) {
    dend::NetworkIndex index(network);
    SmallVector<dend::PopulationOp> bodies, current;
    for (auto population : network.getOps<dend::PopulationOp>()) {
      ModelKind kind = kindOf(population);
      if (kind == ModelKind::Body && onto.engines.has("microcode"))
        bodies.push_back(population);
      else if (kind != ModelKind::Integer)
        current.push_back(population);
      else
        keepDecisive(population, {});
    }
    // Before any projection asks what its source sends.
    for (dend::PopulationOp population : bodies)
      chooseMessages(population, onto);
    // Analyse every population before rewriting any: a projection's source
    // must still have its float model when its target is analysed.
    std::vector<QuantisedLayer> layers;
    if (failed(analyse(current, onto, choices, layers)))
      return failure();
    for (dend::PopulationOp population : bodies)
      if (failed(quantiseBody(population, onto, choices, report)))
        return failure();
    for (QuantisedLayer &layer : layers)
      rewriteLayer(layer, onto, report);
    addReasons(network, choices, report);
    renameOutputs(network);
    for (auto output : network.getOps<dend::OutputOp>())
      if (failed(rewriteOutput(output, layers)))
        return failure();
    return success();
  }

  /// Says of every population what is wrong with it, not of the first alone.
  static LogicalResult analyse(ArrayRef<dend::PopulationOp> current,
                               const Target &onto, const WeightChoices &choices,
                               std::vector<QuantisedLayer> &layers) {
    bool sound = true;
    for (dend::PopulationOp population : current) {
      if (std::optional<StringRef> why =
              dend::modelOf(population).getNotCuba()) {
        sound = false;
        population.emitError() << *why;
        continue;
      }
      auto layer = analyseLayer(population, onto, choices);
      sound &= succeeded(layer);
      if (succeeded(layer))
        layers.push_back(std::move(*layer));
    }
    return success(sound);
  }

  SharedTarget chip;
  std::shared_ptr<const WeightChoices> choices; // null: none
};
} // namespace

std::unique_ptr<mlir::Pass>
createDendQuantise(DendQuantiseOptions options, SharedTarget chip,
                   std::shared_ptr<const WeightChoices> choices) {
  return std::make_unique<DendQuantisePass>(std::move(options), std::move(chip),
                                            std::move(choices));
}

} // namespace dendrolith
