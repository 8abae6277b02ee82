// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/VerifyConstraints.h"
#include "compiler/mapping/result/SliceGraph.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <map>

namespace dendrolith {

namespace {

class Verifier {
public:
  Verifier(const Constraints &constraints, const MapNetwork &network,
           const Target &target, const std::vector<Slice> &slices,
           const NeuronOrder &order)
      : constraints(constraints), network(network), target(target),
        slices(slices), cores(coresOf(network, slices, order)) {}

  void run() const {
    for (const Pin &pin : constraints.pins)
      forEachNeuron(pin.neurons, [&](uint32_t neuron, uint32_t core) {
        if (!pin.cores.has(core))
          broken(pin, at(pin.neurons.population, neuron, core));
      });
    for (const ConstraintGroup &group : constraints.together)
      verifyTogether(group);
    for (const ConstraintGroup &group : constraints.apart)
      verifyApart(group);
    std::map<uint32_t, uint32_t> onCore; // a population
    for (const Slice &slice : slices)
      onCore.emplace(slice.core, slice.population);
    for (const Forbidden &forbidden : constraints.forbidden) {
      auto used = onCore.lower_bound(forbidden.cores.first);
      if (used != onCore.end() && used->first < forbidden.cores.end())
        broken(forbidden, fmt::format("population '{}' lies on core {}",
                                      network.populations[used->second].name,
                                      used->first));
    }
    if (!constraints.reserves.empty())
      verifyReserves();
  }

private:
  [[noreturn]] static void broken(const Stated &entry, const std::string &how) {
    throw Error(
        fmt::format("{}: {} is not kept: {}", entry.place, entry.text, how));
  }

  std::string at(uint32_t population, uint32_t neuron, uint32_t core) const {
    return fmt::format("neuron {} of '{}' lies on {}", neuron,
                       network.populations[population].name,
                       core == noCore ? "no core"
                                      : fmt::format("core {}", core));
  }

  template <class Visit>
  void forEachNeuron(const NeuronRange &range, Visit visit) const {
    for (uint32_t n = range.first; n < range.end(); ++n)
      visit(n, cores[range.population][n]);
  }

  uint64_t placeOf(const ConstraintGroup &group, uint32_t core) const {
    return group.within == Within::Tile ? target.tileOf(core) : core;
  }

  void verifyTogether(const ConstraintGroup &group) const {
    std::optional<uint32_t> first;
    for (const NeuronRange &member : group.members)
      forEachNeuron(member, [&](uint32_t neuron, uint32_t core) {
        if (!first)
          first = core;
        if (placeOf(group, core) != placeOf(group, *first))
          broken(group,
                 fmt::format("{}, others on core {}",
                             at(member.population, neuron, core), *first));
      });
  }

  void verifyApart(const ConstraintGroup &group) const {
    std::map<uint64_t, size_t> memberOf; // by core or tile
    for (size_t m = 0; m < group.members.size(); ++m)
      forEachNeuron(group.members[m], [&](uint32_t neuron, uint32_t core) {
        size_t known = memberOf.emplace(placeOf(group, core), m).first->second;
        if (known != m)
          broken(
              group,
              fmt::format(
                  "{}, as '{}' does",
                  at(group.members[m].population, neuron, core),
                  network.populations[group.members[known].population].name));
      });
  }

  void verifyReserves() const {
    std::vector<Slice> sorted = slices;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Slice &a, const Slice &b) {
                       return std::make_pair(a.population, a.first) <
                              std::make_pair(b.population, b.first);
                     });
    std::vector<std::vector<uint32_t>> starts(network.populations.size());
    for (const Slice &slice : sorted)
      starts[slice.population].push_back(slice.first);
    for (size_t p = 0; p < starts.size(); ++p)
      starts[p].push_back(network.populations[p].size);
    const SliceGraph graph = buildSliceGraph(network, target.synapses, starts,
                                             EntryBytes(target), Nets::Summed);
    std::map<uint32_t, Demand> demand;
    for (size_t s = 0; s < sorted.size(); ++s)
      demand[sorted[s].core].addSums(graph.demand[s]);
    const Capacity whole(target);
    const std::vector<Capacity> left = constraints.capacities(target);
    for (const Reserve &reserve : constraints.reserves)
      for (const auto &[core, used] : demand)
        for (int r = 0; r < numSums; ++r) {
          if ((reserve.core && *reserve.core != core) || reserve.room[r] == 0)
            continue;
          if (used.sums[r] > left[core].of[r])
            broken(
                reserve,
                fmt::format("core {} has {} {} free", core,
                            whole.of[r] - std::min(whole.of[r], used.sums[r]),
                            dendrolith::describe(Resource(r)).counted));
        }
  }

  const Constraints &constraints;
  const MapNetwork &network;
  const Target &target;
  const std::vector<Slice> &slices;
  const NeuronCores cores;
};

} // namespace

void verify(const Constraints &constraints, const MapNetwork &network,
            const Target &target, const std::vector<Slice> &slices,
            const NeuronOrder &order) {
  Verifier(constraints, network, target, slices, order).run();
}

} // namespace dendrolith
