// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Misfits.h"

#include <fmt/format.h>

namespace dendrolith {

std::string remedyFor(Resource resource) {
  const ResourceName &name = describe(resource);
  return fmt::format("{}, another target, or --override-limit {}", name.less,
                     name.limit);
}

Misfit tooFewAllowed(const Target &target, uint64_t most, uint64_t found) {
  return {"cores", "", found, most,
          fmt::format("at most {} cores of target '{}' are allowed, the fewest "
                      "that were found to hold the network are {}; allow more "
                      "with --cores",
                      most, target.name, found)};
}

Misfit neuronMisfit(const Target &target, const std::string &population,
                    uint32_t neuron, Resource resource, uint64_t used) {
  const ResourceName &name = describe(resource);
  uint64_t limit = Capacity(target).of[resource];
  Misfit misfit{
      name.name, population, used, limit,
      fmt::format(
          "population '{}': neuron {} alone needs {} {}, a core of '{}' has "
          "{}, and a neuron is never split: what would make it fit is {}",
          population, neuron, used, name.counted, target.name, limit,
          remedyFor(resource))};
  misfit.brief = fmt::format("neuron {} of '{}' alone needs {} {} of {}",
                             neuron, population, used, name.counted, limit);
  misfit.oneNeuron = true;
  return misfit;
}

Misfit boundMisfit(const MapNetwork &network, const Target &target,
                   const LowerBounds &bounds) {
  const Bound &bound = bounds.of[bounds.binding];
  const ResourceName &name = describe(bounds.binding);
  const std::string &population = network.populations[bound.population].name;
  uint64_t limit = Capacity(target).of[bounds.binding];
  Misfit misfit{
      name.name, population, bound.total, target.numCores() * limit,
      fmt::format("population '{}' does not fit target '{}': the network needs "
                  "{} {}, {} of them for this population, and {} cores with {} "
                  "each have {}; no mapping takes fewer than {} cores: what "
                  "would make it fit is {}",
                  population, target.name, bound.total, name.counted,
                  bound.most, target.numCores(), limit,
                  target.numCores() * limit, bound.cores,
                  remedyFor(bounds.binding))};
  misfit.brief =
      fmt::format("the network needs no fewer than {} cores of {} ({})",
                  bound.cores, target.numCores(), name.name);
  misfit.bound = bound.cores;
  return misfit;
}

Misfit packingMisfit(const MapNetwork &network, const Target &target,
                     Resource resource, const std::string &population,
                     const CoresFound &found) {
  LowerBounds bounds = lowerBounds(network, target);
  if (bounds.cores() > target.numCores()) {
    Misfit misfit = boundMisfit(network, target, bounds);
    misfit.found = found;
    return misfit;
  }
  const ResourceName &name = describe(resource);
  uint64_t best = found.regrouped ? found.regrouped : found.inOrder;
  std::string regrouped =
      found.regrouped ? fmt::format(" and {} by regrouping", found.regrouped)
                      : "";
  Misfit misfit{
      name.name, population, best, target.numCores(),
      fmt::format("population '{}' does not fit target '{}': the network fits "
                  "no fewer than {} cores ({}), found {}{} in the given "
                  "order{}, the target has {}; {} {} "
                  "per core is what runs out{}: what would make it fit is {}",
                  population, target.name, bounds.cores(),
                  describe(bounds.binding).name, found.inOrder,
                  found.orMore ? " or more" : "", regrouped, target.numCores(),
                  Capacity(target).of[resource], name.counted, found.neediest,
                  remedyFor(resource))};
  misfit.brief = fmt::format("found {} cores of {} ({})", best,
                             target.numCores(), name.name);
  misfit.bound = bounds.cores();
  misfit.found = found;
  return misfit;
}

Misfit coreMisfit(const Target &target, uint32_t core, Resource resource,
                  const std::string &population, uint64_t used, uint64_t limit,
                  const std::string &others) {
  const ResourceName &name = describe(resource);
  return {
      name.name, population, used, limit,
      fmt::format(
          "core {}: needs {} {}, a core of '{}' has {}; population '{}' "
          "takes most: what would make it fit is a smaller slice there, {}{}",
          core, used, name.counted, target.name, limit, population,
          remedyFor(resource), others)};
}

} // namespace dendrolith
