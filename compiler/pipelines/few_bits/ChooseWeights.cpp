// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/ChooseWeights.h"

#include "compiler/pipelines/few_bits/Activity.h"
#include "compiler/pipelines/few_bits/BiasCorrection.h"
#include "compiler/pipelines/few_bits/FreeSteps.h"
#include "compiler/pipelines/few_bits/PopulationOrder.h"
#include "compiler/pipelines/few_bits/RoundedPrefix.h"
#include "compiler/transforms/quantise/CubaShape.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/reference/Clocks.h"

#include <optional>

using namespace mlir;

namespace dendrolith {
namespace {

class Chooser {
public:
  Chooser(ModuleOp prepared, const Target &chip,
          const QuantiserOptions &options,
          const std::map<std::string, Samples> &inputs, WeightChoices &choices)
      : network(dend::networkIn(prepared)), chip(chip), options(options),
        inputs(inputs), choices(choices), order(orderPopulations(network)) {}

  LogicalResult run() {
    auto clocks = dend::ticksPerRoot(network);
    if (failed(clocks))
      return failure();
    ticks = std::move(*clocks);
    if (inputs.empty()) {
      biases.emplace(network);
      return chooseAll();
    }
    const bool rescales = options.rescaling && options.method == "search";
    auto observed =
        observe(network, order.looped.empty() && !rescales ? fromInputs()
                                                           : allSources());
    if (failed(observed))
      return failure();
    before = std::move(*observed);
    auto inputsOf = [&](dend::ProjectOp project) {
      return inputsBefore(project);
    };
    if (rescales &&
        failed(freeSteps(order, chip, options, inputsOf, before, branches)))
      return failure();
    biases.emplace(network);
    if (failed(chooseAll()))
      return failure();
    // What runs round in loops was seen before all of the loop had integers.
    for (dend::PopulationOp population : order.populations)
      if (order.looped.contains(population) && failed(choose(population)))
        return failure();
    report.write(network, before, choices);
    return success();
  }

private:
  llvm::StringSet<> fromInputs() {
    llvm::StringSet<> keys;
    for (auto input : network.getOps<dend::InputOp>())
      keys.insert(input.getSymName());
    return keys;
  }

  llvm::StringSet<> allSources() {
    llvm::StringSet<> keys;
    for (auto project : network.getOps<dend::ProjectOp>())
      keys.insert(sourceKey(project));
    return keys;
  }

  FailureOr<Activity> observe(dend::NetworkOp which,
                              const llvm::StringSet<> &correlated) {
    dend::NetworkIndex index(which);
    bool weighted =
        options.method == "search" || options.rounding == "adaptive";
    return observeActivity(which, weighted ? correlated : llvm::StringSet<>(),
                           inputs);
  }

  LogicalResult chooseAll() {
    for (dend::PopulationOp population : order.populations)
      if (failed(choose(population)))
        return failure();
    return success();
  }

  /// What the sources of a population do now; none of an input changes.
  FailureOr<Activity> observeSourcesOf(dend::PopulationOp population) {
    RoundedPrefix prefix = prefixBefore(population, now);
    if (!prefix.module)
      return Activity();
    return observe(prefix.network(), prefix.sources);
  }

  const SourceMoments *find(const Activity &activity, const std::string &key) {
    auto at = activity.sources.find(key);
    return at == activity.sources.end() ? nullptr : &at->second;
  }

  /// What arrives in the float network.
  FeedInputs inputsBefore(dend::ProjectOp project) {
    FeedInputs feed;
    feed.before = feed.now = find(before, sourceKey(project));
    feed.perUpdate = perUpdate(project);
    return feed;
  }

  LogicalResult choose(dend::PopulationOp population) {
    if (kindOf(population) == ModelKind::Integer)
      return success();
    Activity after;
    if (!inputs.empty()) {
      auto observed = observeSourcesOf(population);
      if (failed(observed))
        return failure();
      after = std::move(*observed);
      report.note(after);
    }
    auto inputsOf = [&](dend::ProjectOp project) {
      FeedInputs feed = inputsBefore(project);
      if (const SourceMoments *now = find(after, sourceKey(project)))
        feed.now = now;
      return feed;
    };
    auto largest = before.neurons.find(population.getSymName().str());
    auto chosen = chooseLayer(
        population, chip, options, inputsOf,
        largest == before.neurons.end()
            ? ArrayRef<std::vector<double>>()
            : ArrayRef<std::vector<double>>(largest->second.largest),
        choices);
    if (failed(chosen))
      return failure();
    for (ChosenFeed &feed : *chosen) {
      now[feed.project] = feed.weights;
      if (auto note = branches.find(feed.project); note != branches.end())
        choices.find(feed.project)->how += ", " + note->second;
    }
    biases->correct(population, *chosen);
    return success();
  }

  /// Source ticks whose values one update of the target adds up.
  double perUpdate(dend::ProjectOp project) {
    Operation *source = dend::symbolOf(project, project.getSourceAttr());
    auto target =
        dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
    auto clockOf = [](Operation *op) {
      if (auto input = dyn_cast<dend::InputOp>(op))
        return input.getClock();
      return cast<dend::PopulationOp>(op).getClock();
    };
    dend::NeuronOp model = dend::modelOf(target);
    int port = model.findPort(project.getPort());
    FlatSymbolRefAttr hold = model.getPort(unsigned(port)).getHold();
    double from = double(ticks.lookup(clockOf(source)));
    double to = double(ticks.lookup(target.getClock()));
    if (!hold)
      return from / to;
    // What arrives at the first update of the time it is held.
    return double(ticks.lookup(hold.getValue())) == from && from <= to ? 1 : 0;
  }

  dend::NetworkOp network;
  const Target &chip;
  const QuantiserOptions &options;
  const std::map<std::string, Samples> &inputs;
  WeightChoices &choices;
  PopulationOrder order;
  std::optional<BiasCorrection> biases; // from the biases after rescaling
  llvm::StringMap<int64_t> ticks;
  Activity before;    // of the float network
  RoundedWeights now; // of the layers that were chosen
  BranchNotes branches;
  ActivityReport report;
};

} // namespace

LogicalResult chooseWeights(ModuleOp prepared, const Target &chip,
                            const QuantiserOptions &options,
                            const std::map<std::string, Samples> &inputs,
                            WeightChoices &choices) {
  if (inputs.empty() && options.rounding == "adaptive")
    return dend::networkIn(prepared).emitError(
        "--round adaptive weighs errors by what neurons receive, and there are "
        "no samples; give some with --calibrate");
  QuantiserOptions own = options;
  if (inputs.empty() && own.method == "search")
    own.method = "mse"; // as far as weights alone tell
  return Chooser(prepared, chip, own, inputs, choices).run();
}

} // namespace dendrolith
