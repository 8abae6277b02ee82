// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/ChooseWeights.h"

#include "compiler/pipelines/Activity.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/ModelKinds.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/reference/Clocks.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace neurite {
namespace {

dend::NetworkOp networkIn(ModuleOp module) {
  return *module.getOps<dend::NetworkOp>().begin();
}

/// A constant of reals in front of a population.
FlatSymbolRefAttr makeReals(dend::PopulationOp population,
                            const std::string &wanted, ArrayRef<int64_t> shape,
                            const std::vector<double> &values) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  OpBuilder builder(population);
  std::string name = freeName(network, wanted);
  auto type = RankedTensorType::get(shape, builder.getF64Type());
  dend::ConstantOp::create(builder, network.getLoc(), name, type,
                           dend::makeElements(type, name, values), StringAttr(),
                           DenseI64ArrayAttr());
  return FlatSymbolRefAttr::get(builder.getContext(), name);
}

std::vector<int64_t> shapeOf(dend::ProjectOp project, FlatSymbolRefAttr of) {
  auto constant = dend::symbolOf<dend::ConstantOp>(project, of);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(constant.getType()).getShape();
  return {shape.begin(), shape.end()};
}

class Chooser {
public:
  Chooser(ModuleOp prepared, const Target &chip,
          const QuantiserOptions &options, unsigned inputBits,
          const std::map<std::string, Samples> &inputs, WeightChoices &choices)
      : prepared(prepared), network(networkIn(prepared)), chip(chip),
        options(options), inputBits(inputBits), inputs(inputs),
        choices(choices) {}

  LogicalResult run() {
    auto clocks = dend::ticksPerRoot(network);
    if (failed(clocks))
      return failure();
    ticks = std::move(*clocks);
    orderPopulations();
    for (auto project : network.getOps<dend::ProjectOp>())
      keepBias(project);
    if (inputs.empty())
      return chooseAll();
    auto observed =
        observe(network, hasFeedback() ? allSources() : fromInputs());
    if (failed(observed))
      return failure();
    before = std::move(*observed);
    if (failed(chooseAll()))
      return failure();
    // What runs round in loops was seen before all of the loop had integers.
    for (dend::PopulationOp population : order)
      if (looped.contains(population.getSymName()) &&
          failed(choose(population)))
        return failure();
    reportActivity();
    return success();
  }

private:
  /// Sources before targets; `looped` gets the targets of what closes a loop.
  void orderPopulations() {
    llvm::StringSet<> done, open;
    std::function<void(dend::PopulationOp)> visit =
        [&](dend::PopulationOp population) {
          if (!open.insert(population.getSymName()).second)
            return;
          for (dend::ProjectOp project : dend::projectionsInto(population))
            if (auto source = dend::symbolOf<dend::PopulationOp>(
                    project, project.getSourceAttr())) {
              visit(source);
              if (!done.contains(source.getSymName()))
                looped.insert(population.getSymName());
            }
          done.insert(population.getSymName());
          order.push_back(population);
        };
    for (auto population : network.getOps<dend::PopulationOp>())
      visit(population);
  }

  bool hasFeedback() const { return !looped.empty(); }

  void keepBias(dend::ProjectOp project) {
    if (!project.getBiasAttr())
      return;
    auto values = dend::readReals(project, project.getBiasAttr());
    if (succeeded(values))
      bias[project] = std::move(*values);
  }

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
    for (dend::PopulationOp population : order)
      if (failed(choose(population)))
        return failure();
    return success();
  }

  /// What the sources of a population do now; none of an input changes.
  FailureOr<Activity> observeSourcesOf(dend::PopulationOp population) {
    llvm::StringSet<> keys, populations;
    for (dend::ProjectOp project : dend::projectionsInto(population))
      if (dend::symbolOf<dend::PopulationOp>(project,
                                             project.getSourceAttr())) {
        keys.insert(sourceKey(project));
        populations.insert(project.getSource());
      }
    if (populations.empty())
      return Activity();
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(prepared->clone());
    dend::NetworkOp prefix = networkIn(*copy);
    for (auto [real, other] : llvm::zip(network.getOps<dend::ProjectOp>(),
                                        prefix.getOps<dend::ProjectOp>()))
      if (auto rounded = now.find(real); rounded != now.end()) {
        auto target =
            prefix.lookupSymbol<dend::PopulationOp>(other.getTarget());
        other.setWeightAttr(makeReals(target, "rounded",
                                      shapeOf(other, other.getWeightAttr()),
                                      rounded->second));
      }
    keepAncestors(prefix, populations);
    return observe(prefix, keys);
  }

  const SourceMoments *find(const Activity &activity, const std::string &key) {
    auto at = activity.sources.find(key);
    return at == activity.sources.end() ? nullptr : &at->second;
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
      keepActivity(after);
    }
    auto inputsOf = [&](dend::ProjectOp project) {
      FeedInputs feed;
      std::string key = sourceKey(project);
      feed.before = find(before, key);
      feed.now = find(after, key);
      if (!feed.now)
        feed.now = feed.before;
      feed.perUpdate = perUpdate(project);
      return feed;
    };
    auto largest = before.neurons.find(population.getSymName().str());
    auto chosen = chooseLayer(
        population, chip, options, inputBits, inputsOf,
        largest == before.neurons.end()
            ? ArrayRef<std::vector<double>>()
            : ArrayRef<std::vector<double>>(largest->second.largest),
        choices);
    if (failed(chosen))
      return failure();
    for (ChosenFeed &feed : *chosen)
      now[feed.project] = feed.weights;
    setBias(population, *chosen);
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

  /// Mean potential and mean message of a population's neurons.
  static std::pair<double, double> meansOf(const Activity &activity,
                                           const std::string &population) {
    auto mean = [](const std::vector<double> &values) {
      return std::accumulate(values.begin(), values.end(), 0.0) /
             double(std::max<size_t>(values.size(), 1));
    };
    std::pair<double, double> means{0, 0};
    auto neurons = activity.neurons.find(population);
    if (neurons != activity.neurons.end())
      means.first = mean(neurons->second.potential);
    auto source = activity.sources.lower_bound(population + ":");
    if (source != activity.sources.end() &&
        StringRef(source->first).starts_with(population + ":"))
      means.second = mean(source->second.mean);
    return means;
  }

  /// Notes what populations do with their integers, as the runs for later
  /// layers show it.
  void keepActivity(const Activity &activity) {
    for (const auto &[name, neurons] : activity.neurons)
      seen[name] = meansOf(activity, name);
  }

  /// Equal scores can hide that a layer fires otherwise than it did.
  void reportActivity() {
    for (auto project : network.getOps<dend::ProjectOp>()) {
      ChosenWeights *chosen = choices.find(project);
      auto after = seen.find(project.getTarget().str());
      if (!chosen || after == seen.end())
        continue;
      auto [potential, message] = meansOf(before, after->first);
      chosen->how += fmt::format(
          "; mean potential {:.4g} in floats, {:.4g} now, mean message {:.4g}, "
          "{:.4g} now",
          potential, after->second.first, message, after->second.second);
    }
  }

  /// Adds what the mean sums lost to a bias of the port: to one that is there,
  /// or of a fixed-function neuron to a new one. A program has no instruction
  /// for a bias that its model has not.
  void setBias(dend::PopulationOp population,
               const std::vector<ChosenFeed> &feeds) {
    for (const ChosenFeed &first : feeds) {
      dend::ProjectOp at = first.project;
      bool leads = true; // of its port
      std::vector<double> lost;
      for (const ChosenFeed &feed : feeds) {
        dend::ProjectOp project = feed.project;
        if (project.getPort() != at.getPort())
          continue;
        if (&feed < &first)
          leads = false;
        if (feed.lost.empty())
          continue;
        lost.resize(std::max(lost.size(), feed.lost.size()), 0.0);
        for (size_t n = 0; n < feed.lost.size(); ++n)
          lost[n] += feed.lost[n];
      }
      if (!leads || lost.empty())
        continue;
      dend::ProjectOp holder;
      for (dend::ProjectOp project : dend::projectionsInto(population))
        if (!holder && project.getPort() == at.getPort() && bias.count(project))
          holder = project;
      if (!holder && kindOf(population) == ModelKind::Cuba &&
          mayBias(population))
        holder = at;
      if (!holder)
        continue;
      std::vector<double> values = bias.count(holder)
                                       ? bias.lookup(holder)
                                       : std::vector<double>(lost.size(), 0.0);
      for (size_t n = 0; n < values.size(); ++n)
        values[n] += lost[n];
      std::string name = fmt::format("{}.bias", population.getSymName().str());
      holder.setBiasAttr(
          makeReals(population, name, {int64_t(values.size())}, values));
    }
  }

  /// A bias of a current that never decays has no place on a chip.
  static bool mayBias(dend::PopulationOp population) {
    auto shape = matchCuba(dend::modelOf(population), population);
    if (failed(shape))
      return false;
    auto reals = readCubaReals(*shape, dend::modelOf(population), population);
    return succeeded(reals) &&
           (!shape->synapse ||
            llvm::all_of(reals->keepI, [](double keep) { return keep < 1; }));
  }

  ModuleOp prepared;
  dend::NetworkOp network;
  const Target &chip;
  const QuantiserOptions &options;
  unsigned inputBits;
  const std::map<std::string, Samples> &inputs;
  WeightChoices &choices;
  llvm::StringMap<int64_t> ticks;
  std::vector<dend::PopulationOp> order;
  llvm::StringSet<> looped;
  Activity before;                                       // of the float network
  std::map<std::string, std::pair<double, double>> seen; // by population
  llvm::DenseMap<Operation *, std::vector<double>> bias, now;
};

} // namespace

LogicalResult chooseWeights(ModuleOp prepared, const Target &chip,
                            const QuantiserOptions &options, unsigned inputBits,
                            const std::map<std::string, Samples> &inputs,
                            WeightChoices &choices) {
  if (inputs.empty() && options.rounding == "adaptive")
    return networkIn(prepared).emitError(
        "--round adaptive weighs errors by what neurons receive, and there are "
        "no samples; give some with --calibrate");
  QuantiserOptions own = options;
  if (inputs.empty() && own.method == "search")
    own.method = "mse"; // as far as weights alone tell
  return Chooser(prepared, chip, own, inputBits, inputs, choices).run();
}

} // namespace neurite
