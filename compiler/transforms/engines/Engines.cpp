// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-select-engine: the shell around compiler/transforms/engines/Engines.h.

#include "compiler/transforms/engines/Engines.h"

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/structure/ExpandStructure.h"
#include "dialects/dend/NetworkIndex.h"

using namespace mlir;

namespace dendrolith {

bool isCuba(dend::NeuronOp model) {
  dend::CubaOp cuba;
  for (Operation &op : model.getBlock()) {
    if (auto found = dyn_cast<dend::CubaOp>(op)) {
      if (cuba)
        return false;
      cuba = found;
    } else if (!isa<dend::YieldOp>(op)) {
      return false;
    }
  }
  if (!cuba || model.getPortArgs().size() != 1 ||
      model.getOutputs().size() > 1 || model.getPort(0).getHold())
    return false;
  for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
    auto reset = dyn_cast<StringAttr>(model.getState(i).getReset());
    if (!reset || reset != "sample")
      return false;
  }
  // A Loihi 1 cannot cross operands: take the old u for v, or a state for a
  // threshold.
  ArrayRef<BlockArgument> params = model.getParamArgs();
  for (Value value : {cuba.getDecayU(), cuba.getDecayV(), cuba.getThreshold(),
                      cuba.getBias()})
    if (!llvm::is_contained(params, value))
      return false;
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto keeps = [&](Value state, Value next) {
    for (auto [argument, value] :
         llvm::zip_equal(model.getStateArgs(), yield.getStates()))
      if (argument == state)
        return value == next;
    return false;
  };
  return cuba.getInput() == model.getPortArgs()[0] &&
         keeps(cuba.getU(), cuba.getNextU()) &&
         keeps(cuba.getV(), cuba.getNextV()) &&
         keeps(cuba.getR(), cuba.getNextR()) &&
         llvm::all_of(yield.getEmitted(),
                      [&](Value v) { return v == cuba.getSpike(); });
}

EngineChoice::EngineChoice(dend::NetworkOp network, const Target &chip)
    : chip(chip) {
  dend::NetworkIndex index(network);
  for (auto project : network.getOps<dend::ProjectOp>()) {
    auto target =
        dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
    if (project.getBiasAttr() && target)
      biased.insert(target.getModelAttr().getAttr());
  }
}

std::string EngineChoice::of(dend::NeuronOp model) const {
  // The fixed-function neuron has a bias of its own, and none on its port.
  if (chip.engines.has("cuba") && isCuba(model) &&
      !biased.contains(model.getSymNameAttr()))
    return "cuba";
  return chip.engines.has("microcode") ? "microcode" : "";
}

#define GEN_PASS_DEF_DENDSELECTENGINE
#include "compiler/transforms/Passes.h.inc"

namespace {
struct DendSelectEnginePass : impl::DendSelectEngineBase<DendSelectEnginePass> {
  using DendSelectEngineBase::DendSelectEngineBase;
  DendSelectEnginePass(DendSelectEngineOptions options, SharedTarget chip)
      : DendSelectEngineBase(std::move(options)), chip(std::move(chip)) {}

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    try {
      EngineChoice engines(network, chip.getOr(target));
      for (auto model : network.getOps<dend::NeuronOp>())
        if (engines.of(model) == "microcode")
          expandStructure(model);
    } catch (const Error &error) {
      emitError(network.getLoc()) << error.what();
      return signalPassFailure();
    }
  }

private:
  SharedTarget chip;
};
} // namespace

std::unique_ptr<mlir::Pass>
createDendSelectEngine(DendSelectEngineOptions options, SharedTarget chip) {
  return std::make_unique<DendSelectEnginePass>(std::move(options),
                                                std::move(chip));
}

} // namespace dendrolith
