// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/ChooseWeights.h"

#include "compiler/pipelines/few_bits/Activity.h"
#include "compiler/pipelines/few_bits/BiasCorrection.h"
#include "compiler/pipelines/few_bits/FreeSteps.h"
#include "compiler/pipelines/few_bits/PopulationOrder.h"
#include "compiler/pipelines/few_bits/RealConstant.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/reference/Clocks.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <vector>

using namespace mlir;

namespace dendrolith {
namespace {

// The part of a network that leads to one population, with the weights that its
// projections have got so far: what the sources of a layer do once the layers
// before it have their integers.

/// Weights of projections in reals, one per element of the weight constant.
using RoundedWeights = llvm::DenseMap<mlir::Operation *, std::vector<double>>;

struct RoundedPrefix {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null without such sources
  llvm::StringSet<> sources; ///< sourceKey() of those that are populations

  dend::NetworkOp network();
};

std::vector<int64_t> shapeOf(dend::ProjectOp project, FlatSymbolRefAttr of) {
  auto constant = dend::symbolOf<dend::ConstantOp>(project, of);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(constant.getType()).getShape();
  return {shape.begin(), shape.end()};
}

/// `kept` and every population or input that leads there.
llvm::StringSet<> ancestorsOf(dend::NetworkOp network,
                              const llvm::StringSet<> &kept) {
  dend::NetworkIndex index(network);
  llvm::StringSet<> needed = kept;
  std::vector<dend::PopulationOp> next;
  for (auto population : network.getOps<dend::PopulationOp>())
    if (kept.contains(population.getSymName()))
      next.push_back(population);
  while (!next.empty()) {
    dend::PopulationOp population = next.back();
    next.pop_back();
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      if (!needed.insert(project.getSource()).second)
        continue;
      if (auto source = dend::symbolOf<dend::PopulationOp>(
              project, project.getSourceAttr()))
        next.push_back(source);
    }
  }
  return needed;
}

/// Removes every output, and every population that does not lead to one of
/// `kept`, which stay.
void keepAncestors(dend::NetworkOp network, const llvm::StringSet<> &kept) {
  const llvm::StringSet<> needed = ancestorsOf(network, kept);
  for (Operation &op : llvm::make_early_inc_range(network.getBody().front())) {
    auto project = dyn_cast<dend::ProjectOp>(op);
    if (isa<dend::OutputOp>(op) ||
        (project && !needed.contains(project.getTarget())))
      op.erase();
  }
  for (auto population :
       llvm::make_early_inc_range(network.getOps<dend::PopulationOp>()))
    if (!needed.contains(population.getSymName()))
      population.erase();
}

dend::NetworkOp RoundedPrefix::network() { return dend::networkIn(*module); }

/// The prefix that ends at the populations which send to `population`. It is a
/// copy of the whole module before it is cut, so that making one for each
/// population takes time quadratic in layers.
RoundedPrefix prefixBefore(dend::PopulationOp population,
                           const RoundedWeights &rounded) {
  RoundedPrefix prefix;
  llvm::StringSet<> ends;
  for (dend::ProjectOp project : dend::projectionsInto(population))
    if (dend::symbolOf<dend::PopulationOp>(project, project.getSourceAttr())) {
      prefix.sources.insert(sourceKey(project));
      ends.insert(project.getSource());
    }
  if (ends.empty())
    return prefix;
  prefix.module =
      cast<ModuleOp>(population->getParentOfType<ModuleOp>()->clone());
  dend::NetworkOp network = prefix.network();
  auto whole = population->getParentOfType<dend::NetworkOp>();
  for (auto [real, other] : llvm::zip(whole.getOps<dend::ProjectOp>(),
                                      network.getOps<dend::ProjectOp>()))
    if (auto weights = rounded.find(real); weights != rounded.end()) {
      auto target = network.lookupSymbol<dend::PopulationOp>(other.getTarget());
      other.setWeightAttr(makeReals(target, "rounded",
                                    shapeOf(other, other.getWeightAttr()),
                                    weights->second));
    }
  keepAncestors(network, ends);
  return prefix;
}

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
