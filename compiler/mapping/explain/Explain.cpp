// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/explain/Explain.h"

#include "compiler/mapping/explain/Hotspots.h"
#include "compiler/mapping/objective/StepGraph.h"
#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/Mapping.h"
#include "runtime/host/SpareThreads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith {

namespace {

// The part of a gain in % that is promised.
constexpr double kPromised = 90;

class Explainer {
public:
  Explainer(const MapNetwork &network, const Target &target,
            const ChipModel &model, Goal goal, Mapping &mapping)
      : network(network), target(target), model(model), goal(goal),
        mapping(mapping) {
    slices = byNeuron(mapping.slices);
    auto [cuts, placed] = cutsOf(network, slices);
    starts = std::move(cuts);
    cores = std::move(placed);
    graph = buildStepGraph(network, target.synapses, starts, model);
    if (target.mesh.multicast)
      nets = buildSliceGraph(network, target.synapses, starts);
  }

  void tell(SpareThreads &threads) {
    Loads loads;
    const SliceCores turn = inTurn();
    const bool isBase = turn == cores;
    threads.share(isBase ? 1 : 2, [&](size_t i) {
      if (i == 0)
        now = evaluate(graph, cores, target, model, netsOrNone(), &loads,
                       &threads);
      else
        base = evaluate(graph, turn, target, model, netsOrNone(), nullptr,
                        &threads);
    });
    if (isBase)
      base = now;
    mapping.busiestLink = now.busiestLink;
    tellCost();
    tellTerms();
    mapping.activity =
        graph.sampled
            ? fmt::format("{} steps of sampled activity", graph.steps)
            : "mean rates: steps in which many neurons are active together are "
              "not foreseen; give samples with --calibrate";
    mapping.hotspots =
        hotspots({network, target, model, slices, cores, graph, mapping.order},
                 std::move(loads));
    tellParts(threads);
    tellFewer();
    tellBounds();
  }

private:
  /// The three resources that ask for most cores.
  void tellBounds() {
    const LowerBounds bounds = lowerBounds(network, target);
    for (int r = 0; r < numResources; ++r) {
      const Bound &bound = bounds.of[r];
      if (bound.cores > 0)
        mapping.bounds.push_back({describe(Resource(r)).name, bound.cores,
                                  network.populations[bound.population].name});
    }
    std::stable_sort(mapping.bounds.begin(), mapping.bounds.end(),
                     [](const MappingBound &a, const MappingBound &b) {
                       return a.cores > b.cores;
                     });
    mapping.bounds.resize(std::min<size_t>(mapping.bounds.size(), 3));
  }

  const SliceGraph *netsOrNone() const {
    return target.mesh.multicast ? &nets : nullptr;
  }

  /// Slices go to the used cores in turn.
  SliceCores inTurn() const {
    const uint32_t used = coresUsed(cores);
    SliceCores turn;
    for (size_t s = 0; s < cores.size(); ++s)
      turn.push_back(uint32_t(s % used));
    return turn;
  }

  void tellCost() {
    // By tick, so that forms of a network with other periods can be compared.
    const double period = std::max(network.period, 1u);
    double scale = period;
    switch (goal) {
    case Goal::Cores:
      mapping.costUnit = "cores";
      mapping.cost = now.cores;
      mapping.baselineCost = base.cores;
      break;
    case Goal::Energy:
      if (model.priced) {
        mapping.costUnit = "pJ/tick";
        break;
      }
      [[fallthrough]];
    case Goal::Time:
      mapping.costUnit = "ns/tick";
      scale = 1e-3 * period;
      break;
    case Goal::Balanced:
    case Goal::Edp:
      mapping.costUnit = model.priced ? "pJ ns/tick" : "ns/tick";
      scale = 1e-3 * period * (model.priced ? period : 1);
    }
    if (goal != Goal::Cores) {
      mapping.cost = now.value(goal, model.priced) * scale;
      mapping.baselineCost = base.value(goal, model.priced) * scale;
    }
    static const char *const words[] = {"energy x time (balanced)", "time",
                                        "energy", "energy x time",
                                        "as few cores as possible"};
    const bool wantsPrices = goal != Goal::Time && goal != Goal::Cores;
    mapping.objective = fmt::format(
        "{} of a step, timing set '{}', {}",
        wantsPrices && !model.priced ? "time" : words[size_t(goal)],
        model.timingName,
        model.priced ? fmt::format("cost table '{}'", model.costsName)
                     : "without prices");
  }

  void tellTerms() {
    auto add = [&](const char *name, const char *unit, double value,
                   double baseline) {
      mapping.terms.push_back({name, unit, value, baseline});
    };
    const double ns = 1e-3;
    add("step", "ns", now.stepPs * ns, base.stepPs * ns);
    add("update", "ns", now.updatePs * ns, base.updatePs * ns);
    add("network", "ns", now.networkPs * ns, base.networkPs * ns);
    add("receive", "ns", now.receivePs * ns, base.receivePs * ns);
    add("barrier", "ns", now.barrierPs * ns, base.barrierPs * ns);
    add("messages", "messages", now.messages, base.messages);
    add("hops", "hops", now.hopsEw + now.hopsNs, base.hopsEw + base.hopsNs);
    if (target.mesh.chips() > 1) {
      add("crossings", "crossings", now.crossings, base.crossings);
      add("chips", "chips", now.chips, base.chips);
    }
    add("busiest link", "messages", now.busiestLink, base.busiestLink);
    if (!model.priced)
      return;
    add("updates and synapses", "pJ", now.workPj, base.workPj);
    add("message energy", "pJ", now.messagePj, base.messagePj);
    add("hop energy", "pJ", now.hopPj, base.hopPj);
    add("static energy", "pJ", now.staticPj, base.staticPj);
    add("energy", "pJ", now.energyPj(), base.energyPj());
  }

  /// The two parts of a step that gain most where the chip does them in half
  /// the time. That is predicted for this mapping, and less is promised, since
  /// simulated steps differ. A search for the shortest step ends in one that is
  /// as fast; with another goal the new mapping may be slower.
  void tellParts(SpareThreads &threads) {
    struct Part {
      const char *name;
      double ps;
      std::vector<const char *> keys; // how the names of its times begin
      double gain = 0;
      std::string changes = "";
    };
    std::vector<Part> parts = {
        {"updates", now.updatePs, {"update_", "spike_emit", "microcode."}},
        {"receiving",
         now.receivePs,
         {"message_in", "per_synapse.", "first_entry.", "per_word"}},
        {"mesh", now.networkPs, {"noc."}},
        {"barrier", now.barrierPs, {"barrier.", "tick"}}};
    if (target.yamlText.empty() || now.stepPs <= 0)
      return;
    for (Part &part : parts) {
      Target faster = target;
      for (const Record &record : model.timing.records) {
        if (record.unit != "ps" || record.value == "0" ||
            std::none_of(part.keys.begin(), part.keys.end(),
                         [&](const char *key) {
                           return record.name.rfind(key, 0) == 0;
                         }))
          continue;
        const std::string key =
            fmt::format("timing.{}.{}", model.timingName, record.name);
        const std::string half = std::to_string(std::stoull(record.value) / 2);
        faster.set(key, half);
        part.changes += fmt::format(",{}={}", key, half);
      }
      ChipModel half = model;
      half.timing = faster.timing(model.timingName);
      const StepGraph again =
          buildStepGraph(network, target.synapses, starts, half);
      part.gain = 1 - evaluate(again, cores, target, half, netsOrNone(),
                               nullptr, &threads)
                              .stepPs /
                          now.stepPs;
    }
    std::stable_sort(
        parts.begin(), parts.end(),
        [](const Part &a, const Part &b) { return a.gain > b.gain; });
    const bool mapsAnew =
        !mapping.tradeOff.empty() && goal != Goal::Cores && goal != Goal::Time;
    for (const Part &part : {parts[0], parts[1]})
      if (const double promised = std::floor(kPromised * part.gain);
          promised >= 1)
        mapping.hotspots.push_back(
            {part.name, part.ps / 1000,
             fmt::format("{:.0f} % of a step", 100 * part.ps / now.stepPs),
             fmt::format(
                 "at least {:.0f} % less of a step with --target {}{}{}",
                 promised, target.name, part.changes,
                 mapsAnew ? " --map-for time" : "")});
  }

  void tellFewer() {
    const TradeOff *fewest = nullptr, *chosen = nullptr;
    for (const TradeOff &row : mapping.tradeOff) {
      if (!fewest || row.cores < fewest->cores)
        fewest = &row;
      if (row.chosen)
        chosen = &row;
    }
    if (!chosen)
      return;
    if (fewest->cores < chosen->cores)
      mapping.fewerCores = fmt::format(
          "{} cores are the fewest of the mappings tried (--map-for cores may "
          "find fewer), but a step then takes {}{:.3f} us{} "
          "instead of {:.3f} us{}",
          fewest->cores, fewest->rough ? "about " : "", fewest->stepNs / 1000,
          model.priced ? fmt::format(" and {:.1f} nJ", fewest->stepPj / 1000)
                       : "",
          chosen->stepNs / 1000,
          model.priced ? fmt::format(" and {:.1f} nJ", chosen->stepPj / 1000)
                       : "");
  }

  const MapNetwork &network;
  const Target &target;
  const ChipModel &model;
  const Goal goal;
  Mapping &mapping;
  std::vector<Slice> slices; // in order of population, then of first neuron
  SliceStarts starts;
  SliceCores cores;
  StepGraph graph;
  SliceGraph nets; // with multicast only
  Evaluation now, base;
};

} // namespace

void explainMapping(const MapNetwork &network, const Target &target,
                    const ChipModel &model, Goal goal, SpareThreads &threads,
                    Mapping &mapping) {
  Explainer(network, target, model, goal, mapping).tell(threads);
}

} // namespace dendrolith
