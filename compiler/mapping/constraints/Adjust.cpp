// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/Adjust.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/constraints/VerifyConstraints.h"
#include "compiler/mapping/objective/Evaluation.h"

#include "compiler/mapping/candidates/Regroup.h"
#include "compiler/mapping/constraints/AdjustUnits.h"
#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/result/Verify.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

using namespace cluster;

namespace {

class Adjuster : AdjustUnits {
public:
  using AdjustUnits::AdjustUnits;

  /// `trusting`: cores that nothing is added to are taken to fit.
  Fit<Mapping> run(bool trusting) {
    std::vector<uint32_t> part = atHome();
    std::vector<bool> trusted(places.size(), trusting);
    for (const Reserve &reserve : constraints.reserves)
      if (reserve.core)
        reserveOn(*reserve.core, reserve, part, trusted);
    const MessageCosts costs = messageCosts(places, target, model);
    Parts parts(graph, limits, uint32_t(places.size()), std::move(part),
                {costs.between.data(), costs.toHost.data()});
    capWork(parts);
    Moves moves(limits, units, rules, places, parts, std::move(trusted),
                std::max(options.minCores, 1u), most());
    for (uint32_t u : displaced)
      if (!moves.place(u))
        return nowhere(*this, u);
    if (!moves.relieve())
      return tooMuch(*this, parts, moves.worst());
    if (beginning.maxMoves && moves.moved() > beginning.maxMoves)
      return tooManyMoves(*this, moves.moved());
    if (moves.coresUsed() < options.minCores || moves.coresUsed() > most())
      return otherCores(*this, moves.coresUsed());
    // Messages alone are not what a step costs.
    Fit<Mapping> before = mappingOf(parts);
    capWork(parts);
    moves.improve(beginning.maxMoves);
    Fit<Mapping> after = mappingOf(parts);
    return after && (!before || after->cost <= before->cost) ? after : before;
  }

private:
  /// No core gets busier than the busiest one, or a tenth above the mean.
  void capWork(const Parts &parts) {
    double busiest = 0, all = 0;
    for (uint32_t p = 0; p < parts.parts(); ++p)
      busiest = std::max(busiest, parts.useOf(p).work);
    for (const Needs &needs : graph.needs)
      all += needs.work;
    busiest = std::max(busiest, 1.1 * all / std::min(most(), parts.parts()));
    limits.work = busiest > 0 ? 1 / busiest : 0;
  }

  Fit<Mapping> mappingOf(const Parts &parts) const {
    Clusters found;
    found.cores = uint32_t(places.size());
    for (const std::vector<uint32_t> &of : vertices.of) {
      found.core.emplace_back();
      for (uint32_t v : of)
        found.core.back().push_back(parts.partOf(v));
    }
    const NeuronOrder more = orderOf(network, target, found, cluster.ranges);
    const Reordered inOrder(network, more, options.threads);
    const MapNetwork &mapped = *inOrder;
    Mapping mapping;
    mapping.solver = "default";
    mapping.order = compose(order, more);
    mapping.slices = slicesOf(network, found, cluster.ranges);
    for (Slice &slice : mapping.slices)
      slice.core = places[slice.core];
    Fit<std::vector<FitRow>> fit =
        dendrolith::verify(mapped, target, mapping.slices);
    if (!fit)
      return fit.misfit();
    mapping.fit = std::move(*fit);
    dendrolith::verify(constraints, mapped, target, mapping.slices,
                       mapping.order);
    price(mapped, mapping);
    return mapping;
  }

  void price(const MapNetwork &mapped, Mapping &mapping) const {
    std::vector<Slice> slices = mapping.slices;
    std::stable_sort(slices.begin(), slices.end(),
                     [](const Slice &a, const Slice &b) {
                       return std::make_pair(a.population, a.first) <
                              std::make_pair(b.population, b.first);
                     });
    std::vector<std::vector<uint32_t>> starts(mapped.populations.size());
    std::vector<uint32_t> at;
    for (const Slice &slice : slices) {
      starts[slice.population].push_back(slice.first);
      at.push_back(slice.core);
    }
    for (size_t p = 0; p < starts.size(); ++p)
      starts[p].push_back(mapped.populations[p].size);
    const Evaluation eval =
        evaluate(buildStepGraph(mapped, target.synapses, starts, model), at,
                 target, model);
    mapping.cost = eval.value(goalOf(options.goal), model.priced);
    TradeOff row;
    row.cores = eval.cores;
    row.stepNs = eval.stepPs / 1000;
    row.stepPj = model.priced ? eval.energyPj() : 0;
    row.how = beginning.how;
    row.chosen = row.pareto = true;
    mapping.tradeOff = {row};
  }
};

} // namespace

Fit<Mapping> adjust(const MapNetwork &network, const Target &target,
                    const MappingOptions &options, const ChipModel &model,
                    const Constraints &constraints,
                    const Beginning &beginning) {
  // The words of a list are estimated from above, so that a full core can seem
  // to be beyond its limit.
  Fit<Mapping> mapping =
      Adjuster(network, target, options, model, constraints, beginning)
          .run(true);
  if (mapping || mapping.misfit().resource == "moves")
    return mapping;
  Fit<Mapping> careful =
      Adjuster(network, target, options, model, constraints, beginning)
          .run(false);
  return careful || careful.misfit().resource == "moves" ? careful : mapping;
}

static std::string keeping(const AdjustUnits &all) {
  return all.options.constraintsFile.empty()
             ? std::string("no mapping was found")
             : fmt::format("no mapping was found that keeps '{}'",
                           all.options.constraintsFile);
}

Misfit nowhere(const AdjustUnits &all, uint32_t unit) {
  const std::string entry = all.rules.entryOf(unit);
  return {"cores", "", 0, all.most(),
          fmt::format("{}: {} finds no core that the other neurons and the "
                      "constraints leave it{}; ask for less, or allow more "
                      "than {} cores",
                      keeping(all), all.nameOf(unit),
                      entry.empty() ? "" : " (" + entry + ")", all.most())};
}

Misfit tooMuch(const AdjustUnits &all, const Parts &parts, uint32_t worst) {
  CoreLimits limits = all.limits;
  limits.work = 0;
  Resource resource = limits.worst(parts.useOf(worst));
  if (resource == numResources)
    resource = DecayProfiles;
  const Needs &use = parts.useOf(worst);
  const double used[] = {use.slots, use.words, use.in, use.out,
                         limits.bytesOf(use)};
  std::string entry, who;
  uint64_t largest = 0;
  for (uint32_t u = 0; u < all.units.vertices.size(); ++u)
    if (parts.partOf(all.units.vertices[u].front()) == worst &&
        all.units.neurons[u] > largest) {
      largest = all.units.neurons[u];
      who = all.nameOf(u);
      entry = all.rules.entryOf(u);
    }
  const ResourceName &name = describe(resource);
  return {
      name.name, "", 0, limits.capacity.of[resource],
      fmt::format("{}: core {} would need more {} than the {} that it has{}{}; "
                  "ask for less there, for more cores, or for {}",
                  keeping(all), all.places[worst], name.counted,
                  limits.capacity.of[resource],
                  resource < ProgramWords
                      ? fmt::format(", about {:.0f}", used[resource])
                      : "",
                  entry.empty() ? " with " + who
                                : fmt::format(" with {} ({})", who, entry),
                  name.less)};
}

Misfit tooManyMoves(const AdjustUnits &all, uint64_t moved) {
  return {"moves", "", moved, all.beginning.maxMoves,
          fmt::format("{} neurons cannot stay on their cores of '{}', "
                      "max-moves allows {}; allow more, or leave it out",
                      moved, all.options.mapFrom, all.beginning.maxMoves)};
}

Misfit otherCores(const AdjustUnits &all, uint64_t used) {
  return {"cores", "", used, all.most(),
          fmt::format("{}: from these cores on {} were used, {} to {} are "
                      "asked for; ask for others (--cores)",
                      keeping(all), used, std::max(all.options.minCores, 1u),
                      all.most())};
}

} // namespace dendrolith
