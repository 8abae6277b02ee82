// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/Misfits.h"

#include <fmt/format.h>

namespace neurite {

/// "fewer weight bits or fewer synapses, another target, or --override-limit
/// synapse_memory_words".
static std::string remedy(Resource resource) {
  const ResourceName &name = describe(resource);
  return fmt::format("{}, another target, or --override-limit {}", name.less,
                     name.limit);
}

Misfit neuronMisfit(const Target &target, const std::string &population,
                    uint32_t neuron, Resource resource, uint64_t used) {
  const ResourceName &name = describe(resource);
  return {
      name.name, population, used, Capacity(target).of[resource],
      fmt::format(
          "population '{}': neuron {} alone needs {} {}, a core of '{}' has "
          "{}, and a neuron is never split: what would make it fit is {}",
          population, neuron, used, name.counted, target.name,
          Capacity(target).of[resource], remedy(resource))};
}

Misfit totalMisfit(const Target &target, Resource resource,
                   const std::string &population, uint64_t most,
                   uint64_t total) {
  const ResourceName &name = describe(resource);
  uint64_t limit = Capacity(target).of[resource];
  uint64_t cores = total / limit + (total % limit != 0);
  return {
      name.name, population, total, target.numCores() * limit,
      fmt::format(
          "population '{}' does not fit target '{}': the network needs {} {}, "
          "{} of them for this population, and {} cores with {} each have {}; "
          "that "
          "fills {} cores: what would make it fit is {}",
          population, target.name, total, name.counted, most, target.numCores(),
          limit, target.numCores() * limit, cores, remedy(resource))};
}

Misfit packingMisfit(const Target &target, Resource resource,
                     const std::string &population, uint64_t cores) {
  const ResourceName &name = describe(resource);
  return {name.name, population, cores, target.numCores(),
          fmt::format("population '{}' does not fit target '{}': filled one "
                      "after the other, "
                      "{} cores are needed and {} are there, and {} {} per "
                      "core is what runs "
                      "out: what would make it fit is {}",
                      population, target.name, cores, target.numCores(),
                      Capacity(target).of[resource], name.counted,
                      remedy(resource))};
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
          remedy(resource), others)};
}

} // namespace neurite
