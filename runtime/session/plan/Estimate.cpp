// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/plan/Estimate.h"

#include "runtime/session/plan/Description.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Chip.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith::plan {
namespace {

struct ListSum {
  double lists = 0; // sources with a target on the core, once for each delay
                    // where words hold none
  double axons = 0; // in-axons of them
  double mean = 0;  // targets of such a list there
  double words = 0; // of all their lists
};

/// Words of a list of so many targets by the shorter form: with indices among
/// `neurons`, or without over the `span` that they lie in.
double wordsOf(const Description &network, uint64_t entries, double neurons,
               double span, uint64_t delayBits, const Target &target) {
  const SynapseFormat &format = target.synapses;
  const uint64_t weight =
      format.weightBits(network.weightBits).value_or(network.weightBits);
  const auto last = uint64_t(std::max(0.0, neurons - 1));
  const uint64_t sparse =
      format.listWords(ListFormat::Sparse, entries, weight,
                       format.indexBits(last).value_or(16), delayBits);
  const uint64_t dense = format.listWords(
      ListFormat::Dense, uint64_t(std::max(1.0, std::min(span, neurons))),
      weight, 0, delayBits);
  return double(std::min(sparse, dense));
}

/// A kernel that a core stores once: words of source channels x taps x those
/// target channels that lie there, and one in-axon.
ListSum sumOfKernel(const Description &network, const Bundle &bundle,
                    double neurons, const Target &target) {
  const Kernel &kernel = bundle.kernel;
  const double sources = double(network.parts[bundle.from].size),
               targets = double(network.parts[bundle.to].size);
  const double channels =
      std::ceil(std::min(neurons, targets) / targets * double(kernel.to));
  const SynapseFormat &format = target.synapses;
  const uint64_t list = format.listWords(
      ListFormat::Dense, uint64_t(std::max(1.0, channels)),
      format.weightBits(network.weightBits).value_or(network.weightBits));
  ListSum sum;
  sum.lists = sources;
  sum.axons = 1;
  sum.mean = bundle.synapses * std::min(neurons, targets) / targets / sources;
  sum.words = double(kernel.from * kernel.taps * list);
  return sum;
}

/// Lists of one delay, or of all where a word holds the delay.
ListSum sumOfRandom(const Description &network, const Bundle &bundle,
                    double neurons, uint64_t delayBits, const Target &target) {
  const double sources = double(network.parts[bundle.from].size),
               targets = double(network.parts[bundle.to].size);
  neurons = std::min(neurons, targets);
  // Those whose targets can lie on the core: all, or those around it.
  const double near = bundle.within > 0
                          ? std::min(1.0, (bundle.within + neurons) / targets)
                          : 1.0;
  const double there = bundle.synapses * neurons / targets; // on the core
  const double able = sources * near;
  // Runs of targets are met as one: a core's edge cuts few of them.
  const double run = std::min(bundle.run, neurons);
  const double piece = run * neurons / (neurons + run - 1);
  ListSum sum;
  const double pieces = there / std::max(able, 1e-9) / piece;
  const double tried = std::max(1.0, bundle.synapses / sources / bundle.run);
  // Each of a source's runs misses the core alike: as with 1 - (1 - p)^n.
  const double hit = std::min(1.0, pieces / tried);
  const double none = hit < 1 ? std::exp(tried * std::log1p(-hit)) : 0;
  sum.lists = able * (1 - none);
  if (sum.lists <= 0)
    return sum;
  sum.mean = there / sum.lists;
  if (network.parts.empty() || target.synapses.weightBitCodes.empty())
    return sum;
  if (pieces > 400 || piece > 1) {
    sum.words = sum.lists *
                wordsOf(network, uint64_t(std::lround(sum.mean)), neurons,
                        bundle.run > 1 ? sum.mean : neurons, delayBits, target);
    return sum;
  }
  // Over how many targets a source has there: nearly Poisson.
  double chance = std::exp(-pieces), words = 0;
  for (uint64_t m = 1; double(m) < pieces + 10 * std::sqrt(pieces) + 10; ++m) {
    chance *= pieces / double(m);
    if (chance > 1e-12)
      words +=
          chance * wordsOf(network, m, neurons, neurons, delayBits, target);
  }
  sum.words = able * words;
  return sum;
}

/// Those of one bundle on a core with `neurons` of its targets.
ListSum sumOfLists(const Description &network, const Bundle &bundle,
                   double neurons, const Target &target) {
  if (bundle.kernel.taps && storesKernels(target))
    return sumOfKernel(network, bundle, neurons, target);
  const uint64_t apart = bundle.delays;
  const auto bits = apart > 1 && target.synapses.maxDelayBits
                        ? target.synapses.delayBits(apart)
                        : std::nullopt;
  if (apart == 1 || bits) {
    ListSum sum =
        sumOfRandom(network, bundle, neurons, bits.value_or(0), target);
    sum.axons = sum.lists;
    return sum;
  }
  // A list, an in-axon and a message for each delay.
  Bundle one = bundle;
  one.synapses /= double(apart);
  ListSum sum = sumOfRandom(network, one, neurons, 0, target);
  sum.lists *= double(apart);
  sum.words *= double(apart);
  sum.axons = sum.lists;
  return sum;
}

/// The limits that sizes can say something of, by their names in a chip's file.
const std::vector<std::string> kLimits = {"compartments_per_core",
                                          "synapse_memory_words", "in_axons",
                                          "out_axons", "core_memory_bytes"};

/// Bytes of one neuron on a core that divides its memory freely: current,
/// potential, what waits after a spike, a bias and a sum, as of `dend.cuba`.
constexpr double kNeuronBytes = 20;

/// How far the largest of so many normal numbers is expected above the mean, in
/// standard deviations (Blom's formula).
double largestOf(double numbers) {
  if (numbers <= 1)
    return 0;
  const double share = (numbers - 0.375) / (numbers + 0.25);
  double low = 0, high = 40;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2)) / 2 < share ? low : high) = middle;
  }
  return low;
}

/// One for each of kLimits, where a core has it.
using Needed = std::array<std::optional<uint64_t>, 5>;

class Planner {
public:
  Planner(const Description &network, const Target &target,
          const ChipQuestion &question)
      : network(network), target(target), question(question) {
    plan.loads.resize(network.parts.size());
    of = {target.limits.compartmentsPerCore, target.limits.synapseMemoryWords,
          target.limits.inAxons, target.limits.outAxons,
          target.limits.coreMemoryBytes};
    for (const std::string &name : question.ignored) {
      const auto at = std::find(kLimits.begin(), kLimits.end(), name);
      if (at == kLimits.end())
        throw Error(
            fmt::format("--override-limit: expected one of {}, found '{}'{}",
                        joinWords(kLimits), name, suggestion(name, kLimits)));
      of[size_t(at - kLimits.begin())].reset();
    }
  }

  ChipPlan make() {
    fill(of);
    for (size_t limit = 0; limit < kLimits.size(); ++limit) {
      if (!of[limit])
        continue;
      const ChipPlan all = plan;
      Needed alone;
      alone[limit] = of[limit];
      plan.misfits.clear();
      fill(alone);
      const double cores = plan.misfits.empty() ? total() : INFINITY;
      plan = all;
      plan.coresByLimit[kLimits[limit]] = cores;
    }
    plan.cores = std::max(1.0, std::ceil(total() - 1e-9));
    if (question.cores)
      spreadOver(double(*question.cores));
    const double perChip =
        double(target.mesh.tilesPerChip()) * double(target.mesh.coresPerTile);
    plan.chips = std::ceil(plan.cores / perChip);
    count();
    time();
    return plan;
  }

private:
  double total() const {
    double cores = 0;
    for (size_t p = network.inputs; p < plan.loads.size(); ++p)
      cores += plan.loads[p].cores;
    return cores;
  }

  /// Finds what fits a core of each population. How many messages a spike costs
  /// depends on how the others are divided, and is found in rounds.
  void fill(const Needed &limits) {
    for (size_t p = network.inputs; p < plan.loads.size(); ++p)
      plan.loads[p].neurons = double(network.parts[p].size);
    plan.misfits.clear();
    const bool rounds = limits[3] || limits[4];
    for (unsigned round = 0; round < (rounds ? 24 : 1); ++round) {
      plan.misfits.clear();
      reach();
      for (size_t p = network.inputs; p < plan.loads.size(); ++p) {
        const double fits = mostNeurons(p, limits);
        CoreLoad &load = plan.loads[p];
        // Half the way, lest two populations swing in turns.
        load.neurons = round ? std::sqrt(load.neurons * fits) : fits;
        load.cores = coresOf(p, limits);
      }
    }
    reach();
  }

  double mostNeurons(size_t p, const Needed &limits) {
    CoreLoad &load = plan.loads[p];
    const double all = double(network.parts[p].size);
    auto exceeded = [&](double neurons) {
      CoreLoad tried = load;
      tried.neurons = neurons;
      loadOf(p, tried);
      const std::array<double, 5> needs = needsOf(neurons, tried);
      for (size_t i = 0; i < limits.size(); ++i)
        if (limits[i] && needs[i] > double(*limits[i]) * (1 + 1e-9))
          return std::make_pair(int(i), needs[i]);
      return std::make_pair(-1, 0.0);
    };
    if (const auto [limit, need] = exceeded(1); limit >= 0) {
      load.bound = kLimits[size_t(limit)];
      plan.misfits.push_back(
          {network.parts[p].name, load.bound, need, *limits[size_t(limit)]});
      return 1;
    }
    load.bound.clear();
    if (exceeded(all).first < 0)
      return all;
    double low = 1, high = all;
    while (high - low > std::max(1e-3, low * 1e-7)) {
      const double middle = (low + high) / 2;
      const int limit = exceeded(middle).first;
      if (limit >= 0)
        load.bound = kLimits[size_t(limit)];
      (limit < 0 ? low : high) = middle;
    }
    // Cores hold whole neurons, where there are many of them.
    return low > 2 ? std::floor(low + 0.01) : low;
  }

  /// By limit, of so many neurons with what loadOf() said of them.
  std::array<double, 5> needsOf(double neurons, const CoreLoad &load) const {
    const double outAxons = neurons * load.destinations;
    const double bytes = load.words * double(target.synapses.wordBits) / 8 +
                         load.inAxons * double(target.memory.inAxonBytes) +
                         outAxons * double(target.memory.outAxonBytes) +
                         neurons * kNeuronBytes;
    return {neurons, load.words, load.inAxons, outAxons, bytes};
  }

  /// Cores of a population: part of one where it does not fill it.
  double coresOf(size_t p, const Needed &limits) const {
    CoreLoad load = plan.loads[p];
    const double all = double(network.parts[p].size);
    if (load.neurons < all)
      return all / load.neurons;
    loadOf(p, load);
    const std::array<double, 5> needs = needsOf(all, load);
    double share = 0;
    for (size_t i = 0; i < limits.size(); ++i)
      if (limits[i])
        share = std::max(share, needs[i] / double(*limits[i]));
    return std::min(1.0, share);
  }

  void loadOf(size_t p, CoreLoad &load) const {
    load.words = load.inAxons = 0;
    for (const Bundle &bundle : network.bundles) {
      if (bundle.to != p)
        continue;
      const ListSum sum = sumOfLists(network, bundle, load.neurons, target);
      load.words += sum.words;
      load.inAxons += sum.axons;
    }
  }

  /// Destinations of a spike: cores of each population that have a target.
  void reach() {
    for (CoreLoad &load : plan.loads)
      load.destinations = 0;
    for (const Bundle &bundle : network.bundles) {
      const CoreLoad &to = plan.loads[bundle.to];
      const double cores = double(network.parts[bundle.to].size) / to.neurons;
      const ListSum sum = sumOfLists(network, bundle, to.neurons, target);
      // A population that takes a part of a core shares its messages.
      const double shared = to.cores > 0 ? std::min(1.0, to.cores) : 1.0;
      plan.loads[bundle.from].destinations +=
          sum.lists * cores * shared / double(network.parts[bundle.from].size);
    }
  }

  void spreadOver(double cores) {
    const double share = total() / cores;
    for (size_t p = network.inputs; p < plan.loads.size(); ++p) {
      plan.loads[p].neurons = std::max(1.0, plan.loads[p].neurons * share);
      plan.loads[p].cores =
          double(network.parts[p].size) / plan.loads[p].neurons;
    }
    plan.cores = cores;
    reach();
  }

  void count() {
    for (size_t p = 0; p < plan.loads.size(); ++p) {
      const Part &part = network.parts[p];
      const double spikes = part.rate * double(part.size);
      if (p >= network.inputs) {
        plan.spikes += spikes;
        loadOf(p, plan.loads[p]);
        plan.loads[p].outAxons =
            plan.loads[p].neurons * plan.loads[p].destinations;
      }
      plan.messages += spikes * plan.loads[p].destinations;
    }
    plan.operations = network.operations();
    plan.programs = !target.engines.has("cuba");
  }

  /// The core that takes longest: updating and receiving overlap, and what it
  /// receives in a step varies as independent spikes do.
  void time() {
    const TimingSet &set = target.timing(question.timing);
    for (size_t p = network.inputs; p < plan.loads.size(); ++p) {
      const CoreLoad &load = plan.loads[p];
      const double spikes = load.neurons * network.parts[p].rate;
      const double update =
          load.neurons * double(set.updateActive) +
          spikes * (double(set.spikeEmit) +
                    load.destinations * double(set.messageOut));
      double receive = 0, variance = 0;
      for (const Bundle &bundle : network.bundles) {
        if (bundle.to != p)
          continue;
        const ListSum sum = sumOfLists(network, bundle, load.neurons, target);
        const double rate = network.parts[bundle.from].rate;
        const double each =
            double(set.messageIn) + sum.mean * double(set.perSynapse.sparse) +
            sum.words / std::max(sum.lists, 1e-9) * double(set.perWord);
        receive += sum.lists * rate * each;
        variance += sum.lists * rate * each * each;
      }
      const double most = largestOf(load.cores) * std::sqrt(variance);
      plan.updateNs = std::max(plan.updateNs, update / 1e3);
      plan.receiveNs = std::max(plan.receiveNs, (receive + most) / 1e3);
    }
    const double tiles =
        std::min(std::ceil(plan.cores / double(target.mesh.coresPerTile)),
                 double(target.mesh.tilesPerChip()));
    plan.barrierNs =
        double(set.barrierTime(uint64_t(tiles), uint64_t(plan.chips))) / 1e3;
    plan.stepNs = std::max({plan.updateNs, plan.receiveNs}) + plan.barrierNs;
    plan.stepNs = std::max(plan.stepNs, double(set.tick) / 1e3);
  }

  const Description &network;
  const Target &target;
  const ChipQuestion &question;
  Needed of;
  ChipPlan plan;
};

} // namespace

ChipPlan planChip(const Description &network, const Target &target,
                  const ChipQuestion &question) {
  return Planner(network, target, question).make();
}

} // namespace dendrolith::plan
