// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/Activity.h"

#include "compiler/pipelines/samples/RunSamples.h"
#include "dialects/dend/fast/Interpreter.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

/// What decides on a neuron's spikes.
Value potentialOf(dend::NeuronOp model) {
  Value potential;
  model.getBlock().walk([&](Operation *op) {
    if (potential)
      return;
    if (auto fire = dyn_cast<dend::FireOp>(op))
      potential = fire.getPotential();
    else if (auto ssf = dyn_cast<dend::SsfOp>(op))
      potential = ssf.getPotential();
  });
  if (potential)
    return potential;
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  return yield.getStates().empty() ? Value() : yield.getStates().back();
}

double unitsOfPotential(dend::PopulationOp population, Value potential) {
  dend::NeuronOp model = dend::modelOf(population);
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (auto [i, next] : llvm::enumerate(yield.getStates()))
    if (next == potential)
      return dend::unitsOf(population, dend::kStateUnits,
                           model.getState(unsigned(i)).getName());
  return 1;
}

class Watcher {
public:
  explicit Watcher(const llvm::StringSet<> &correlated)
      : correlated(correlated) {}

  void operator()(const dend::Update &update) {
    dend::PopulationOp population = update.population;
    dend::NeuronOp model = update.model;
    auto [at, isNew] =
        byPopulation.try_emplace(population.getSymName().str(), Own());
    Own &own = at->second;
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    if (isNew) {
      own.potential = potentialOf(model);
      own.units = unitsOfPotential(population, own.potential);
      for (unsigned i = 0; i < yield.getEmitted().size(); ++i)
        own.keys.push_back(sourceKey(population, model.getOutput(i).getName()));
      own.activity.largest.resize(yield.getStates().size());
    }
    ++own.updates;
    for (auto [i, value] : llvm::enumerate(yield.getEmitted()))
      emit(own.keys[i], update.frame, value);
    watchStates(own, update, yield);
  }

  void input(const std::string &name, const double *values, size_t elements) {
    gatherer(name, elements).add(values);
  }

  Activity result() {
    Activity all;
    for (auto &[key, gatherer] : gatherers)
      all.sources.emplace(key, gatherer.result());
    for (auto &[name, own] : byPopulation) {
      for (double &sum : own.activity.potential)
        sum /= double(own.updates) * own.units;
      all.neurons.emplace(name, std::move(own.activity));
    }
    return all;
  }

private:
  struct Own {
    Value potential;
    double units = 1;              // of the potential, in one of the file
    std::vector<std::string> keys; // by output
    NeuronActivity activity;
    uint64_t updates = 0;
  };

  MomentGatherer &gatherer(const std::string &key, size_t elements) {
    return gatherers.try_emplace(key, elements, correlated.contains(key))
        .first->second;
  }

  void emit(const std::string &key, const dend::Frame &frame, Value value) {
    const dend::PopulationValue &lanes = frame[value];
    const size_t elements = size_t(frame.neurons() * lanes.size);
    MomentGatherer &into = gatherer(key, elements);
    if (lanes.kind == dend::ElementKind::Complex)
      return;
    // A value that all neurons share is stored once.
    if (lanes.isReal())
      into.add(spread(lanes.real, lanes, elements, reals));
    else
      into.add(spread(lanes.raw, lanes, elements, raws));
  }

  template <typename T>
  static const T *spread(const std::vector<T> &stored,
                         const dend::PopulationValue &lanes, size_t elements,
                         std::vector<T> &buffer) {
    if (stored.size() == elements)
      return stored.data();
    buffer.resize(elements);
    for (size_t i = 0; i < elements; ++i)
      buffer[i] = stored[i % size_t(lanes.size)];
    return buffer.data();
  }

  void watchStates(Own &own, const dend::Update &update, dend::YieldOp yield) {
    const int64_t neurons = update.frame.neurons();
    auto add = [&](Value value, auto &&visit) {
      const dend::PopulationValue &lanes = update.frame[value];
      if (lanes.kind != dend::ElementKind::Real || lanes.size != 1)
        return;
      dend::View<double> view = dend::reals(lanes);
      for (int64_t n = 0; n < neurons; ++n)
        visit(size_t(n), view(n, 0));
    };
    if (own.potential)
      add(own.potential, [&](size_t n, double v) {
        own.activity.potential.resize(size_t(neurons), 0.0);
        own.activity.potential[n] += v;
      });
    for (auto [i, value] : llvm::enumerate(yield.getStates())) {
      std::vector<double> &largest = own.activity.largest[i];
      auto widen = [&](size_t n, double v) {
        largest.resize(size_t(neurons), 0.0);
        largest[n] = std::max(largest[n], std::fabs(v));
      };
      add(value, widen);
      if (auto fire = value.getDefiningOp<dend::FireOp>())
        add(fire.getPotential(), widen);
    }
  }

  const llvm::StringSet<> &correlated;
  std::map<std::string, MomentGatherer> gatherers;
  std::map<std::string, Own> byPopulation;
  std::vector<double> reals;
  std::vector<int64_t> raws;
};

} // namespace

std::string sourceKey(dend::ProjectOp project) {
  auto population =
      dend::symbolOf<dend::PopulationOp>(project, project.getSourceAttr());
  if (!population)
    return project.getSource().str();
  dend::NeuronOp model = dend::modelOf(population);
  int index = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  return sourceKey(population, model.getOutput(unsigned(index)).getName());
}

std::string sourceKey(dend::PopulationOp population, StringRef output) {
  return (population.getSymName() + ":" + output).str();
}

FailureOr<Activity>
observeActivity(dend::NetworkOp network, const llvm::StringSet<> &correlated,
                const std::map<std::string, Samples> &inputs) {
  auto interpreter = dend::fast::Interpreter::create(network);
  if (failed(interpreter))
    return failure();
  Watcher watcher(correlated);
  (*interpreter)->observe([&](const dend::Update &update) { watcher(update); });
  InputFeeder feeder(**interpreter, inputs);
  for (uint64_t sample = 0; sample < feeder.samples; ++sample) {
    (*interpreter)->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      const auto &values = feeder.at(sample, tick);
      for (const dend::InputInfo &input : (*interpreter)->inputs()) {
        const std::vector<double> &all = values.at(input.name);
        const size_t width = all.size() / size_t(input.ticks);
        for (int64_t step = 0; step < input.ticks; ++step)
          watcher.input(input.name, all.data() + size_t(step) * width, width);
      }
      (*interpreter)->tick(values);
    }
  }
  return watcher.result();
}

using Eigen::Index;

constexpr size_t kMostCorrelated = 4096; // elements: 128 MiB of products
constexpr Index kBatch = 128;            // updates added at a time

MomentGatherer::MomentGatherer(size_t elements, bool correlated)
    : sum(elements, 0.0), square(elements, 0.0) {
  if (correlated && elements <= kMostCorrelated) {
    products = Eigen::MatrixXd::Zero(Index(elements), Index(elements));
    batch.resize(Index(elements), kBatch);
  }
}

template <typename T> void MomentGatherer::addUpdate(const T *values) {
  active.clear();
  for (size_t i = 0; i < sum.size(); ++i)
    if (values[i] != 0) {
      sum[i] += double(values[i]);
      square[i] += double(values[i]) * double(values[i]);
      active.push_back(Index(i));
    }
  ++updates;
  if (products.size() == 0 || active.empty())
    return;
  if (active.size() * 8 < sum.size()) {
    for (Index j : active)
      for (Index i : active)
        if (i >= j)
          products(i, j) += double(values[i]) * double(values[j]);
    return;
  }
  for (size_t i = 0; i < sum.size(); ++i)
    batch(Index(i), filled) = double(values[i]);
  if (++filled == kBatch)
    flush();
}

void MomentGatherer::add(const double *values) { addUpdate(values); }
void MomentGatherer::add(const int64_t *values) { addUpdate(values); }

SourceMoments MomentGatherer::result() {
  flush();
  const double count = double(std::max<uint64_t>(updates, 1));
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i] /= count;
    square[i] /= count;
  }
  if (products.size()) {
    products /= count;
    products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  }
  return {std::move(sum), std::move(square), std::move(products)};
}

void MomentGatherer::flush() {
  if (filled)
    products.selfadjointView<Eigen::Lower>().rankUpdate(batch.leftCols(filled));
  filled = 0;
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
      llvm::StringRef(source->first).starts_with(population + ":"))
    means.second = mean(source->second.mean);
  return means;
}

/// How many units of what the target of a projection sends first are one unit
/// of the model's file.
static double unitsOfMessages(dend::ProjectOp project) {
  auto population =
      dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
  dend::NeuronOp model = dend::modelOf(population);
  return model.getOutputs().empty()
             ? 1
             : dend::unitsOf(population, dend::kOutputUnits,
                             model.getOutput(0).getName());
}

void ActivityReport::note(const Activity &activity) {
  for (const auto &[name, neurons] : activity.neurons)
    seen[name] = meansOf(activity, name);
}

void ActivityReport::write(dend::NetworkOp network, const Activity &before,
                           WeightChoices &choices) const {
  for (auto project : network.getOps<dend::ProjectOp>()) {
    ChosenWeights *chosen = choices.find(project);
    auto after = seen.find(project.getTarget().str());
    if (!chosen || after == seen.end())
      continue;
    auto [potential, message] = meansOf(before, after->first);
    const double units = unitsOfMessages(project);
    chosen->how += fmt::format(
        "; mean potential {:.4g} in floats, {:.4g} now, mean message {:.4g}, "
        "{:.4g} now",
        potential, after->second.first, message / units,
        after->second.second / units);
  }
}

} // namespace dendrolith
