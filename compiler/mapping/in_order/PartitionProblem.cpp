// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/PartitionProblem.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith {

PartitionProblem::PartitionProblem(const SliceGraph &slices,
                                   const Capacity &capacity, uint32_t numCores)
    : nets(slices.nets), numSlices(static_cast<uint32_t>(slices.slices.size())),
      numCores(numCores), demand(slices.demand), work(slices.work),
      capacity(capacity) {}

std::optional<Misfit> PartitionProblem::check() const {
  if (demand.size() != numSlices || work.size() != numSlices)
    throw Error(fmt::format("partition: expected demand and work of {} slices, "
                            "found {} and {}",
                            numSlices, demand.size(), work.size()));
  if (numSlices > 0 && numCores == 0)
    throw Error("partition: expected at least one core, found none");
  Demand total;
  for (uint32_t s = 0; s < numSlices; ++s) {
    int r = exceeded(demand[s], Demand(), capacity);
    if (r != numResources)
      return Misfit{
          describe(Resource(r)).name, "", demand[s].used(r), capacity.of[r],
          fmt::format("partition: slice {} needs {} {}, a core has {}", s,
                      demand[s].used(r), describe(Resource(r)).counted,
                      capacity.of[r])};
    total.addSums(demand[s]);
  }
  for (int r = 0; r < numSums; ++r) {
    uint64_t sum = total.sums[r], limit = capacity.of[r];
    if (limit != unlimited && sum / limit + (sum % limit != 0) > numCores)
      return Misfit{
          describe(Resource(r)).name, "", sum, numCores * limit,
          fmt::format("partition: the slices need {} {}, {} cores have {} each",
                      sum, describe(Resource(r)).counted, numCores, limit)};
  }
  return std::nullopt;
}

void PartitionProblem::verify(const Solution &solution) const {
  if (solution.size() != numSlices)
    throw Error(fmt::format("partition: expected a core for each of {} slices, "
                            "found {}",
                            numSlices, solution.size()));
  std::vector<Demand> cores(numCores);
  for (uint32_t s = 0; s < numSlices; ++s) {
    if (solution[s] >= numCores)
      throw Error(fmt::format("partition: slice {} is on core {} of {}", s,
                              solution[s], numCores));
    cores[solution[s]].add(demand[s]);
  }
  for (uint32_t c = 0; c < numCores; ++c) {
    int r = exceeded(cores[c], Demand(), capacity);
    if (r != numResources)
      throw Error(fmt::format("partition: core {} needs {} {}, it has {}", c,
                              cores[c].used(r), describe(Resource(r)).counted,
                              capacity.of[r]));
  }
}

double PartitionProblem::cost(const Solution &solution) const {
  double cut = 0;
  for (const Net &net : nets)
    for (const Net::Pin &pin : net.pins)
      if (net.source != host && solution[pin.slice] != solution[net.source])
        cut += net.rate * pin.messages;
  std::vector<double> load(numCores, 0);
  for (uint32_t s = 0; s < numSlices; ++s)
    load[solution[s]] += work[s];
  return cut + (load.empty() ? 0 : *std::max_element(load.begin(), load.end()));
}

} // namespace dendrolith
