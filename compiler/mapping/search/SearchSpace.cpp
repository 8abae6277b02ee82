// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/SearchSpace.h"

#include "compiler/mapping/PlacementProblem.h"
#include "compiler/mapping/search/Polish.h"
#include "compiler/mapping/search/Search.h"

#include <algorithm>

namespace neurite {

namespace {

/// Distances looked up for the last touch on the best mappings.
constexpr uint64_t kPolishBudget = 100000000;

} // namespace

SearchSpace::SearchSpace(const MapNetwork &network, const Target &target,
                         const MappingOptions &options, const ChipModel &model)
    : network(network), target(target), options(options), model(model),
      goal(goalOf(options.goal)), began(std::chrono::steady_clock::now()) {
  const uint64_t all = usablePositions(target, target.numCores()).size();
  uint64_t neurons = 0;
  for (const MapPopulation &population : network.populations)
    neurons += population.size;
  for (const MapProjection &projection : network.projections)
    synapses += projection.accumulator.size();
  most = uint32_t(std::min<uint64_t>({options.maxCores ? options.maxCores : all,
                                      all, std::max<uint64_t>(neurons, 1)}));
  least = std::max(options.minCores, 1u);
}

bool SearchSpace::outOfTime() const {
  return options.seconds > 0 &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - began)
                 .count() > options.seconds;
}

const Candidate &
SearchSpace::bestOf(const std::vector<Candidate> &found) const {
  return *std::min_element(found.begin(), found.end(),
                           [&](const Candidate &a, const Candidate &b) {
                             return valueOf(a) < valueOf(b);
                           });
}

MapNetwork SearchSpace::inOrder(const NeuronOrder &order) const {
  return permute(network, order, options.threads);
}

std::optional<Candidate> SearchSpace::judged(const std::string &how,
                                             const NeuronOrder &order,
                                             const Arrangement &made,
                                             Cores cores) const {
  Candidate each{how, {}, order, made.starts, std::move(cores), {}};
  each.eval = evaluate(made.steps, each.cores, target, model, &made.graph);
  if (!isAllowed(each.eval))
    return std::nullopt;
  return each;
}

std::optional<Candidate> SearchSpace::take(const std::string &how,
                                           const Mapping &mapping) const {
  Cuts cuts = cutsOf(network, mapping.slices);
  auto made = arrange(network, target, model, cuts.starts);
  if (!made || made->starts != cuts.starts)
    return std::nullopt;
  return judged(how, {}, *made, std::move(cuts.cores));
}

std::optional<Candidate> SearchSpace::cut(const MapNetwork &net,
                                          const NeuronOrder &order,
                                          const std::string &how, Starts starts,
                                          uint32_t cores) const {
  auto made = arrange(net, target, model, std::move(starts));
  if (!made)
    return std::nullopt;
  auto packed = pack(*made, Capacity(target), cores);
  if (!packed)
    return std::nullopt;
  return judged(how, order, *made,
                placeOnMesh(*made, *packed, target, kLookBudget));
}

void SearchSpace::finish(Candidate &each) const {
  const MapNetwork *net = &network;
  std::optional<MapNetwork> permuted;
  if (!each.order.empty())
    net = &permuted.emplace(inOrder(each.order));
  auto made = arrange(*net, target, model, each.starts);
  if (!made || made->starts != each.starts)
    return;
  auto better =
      judged(each.how, each.order, *made,
             polish(*made, each.cores, target, model, goal, kPolishBudget));
  if (better && valueOf(*better) < valueOf(each))
    each = std::move(*better);
}

} // namespace neurite
