// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/SampleCounter.h"

#include "simulator/events/EventCounter.h"
#include "targets/loader/chip/Sections.h"

namespace dendrolith::sim {

static EmissionCosts::Sum sumOf(ListKind kind) {
  switch (kind) {
  case ListKind::Dense:
    return EmissionCosts::Dense;
  case ListKind::Sparse:
    return EmissionCosts::Sparse;
  case ListKind::Conv:
    break;
  }
  return EmissionCosts::Conv;
}

EmissionCosts::EmissionCosts(const Machine &machine, const Target &target,
                             const Traffic &traffic)
    : ofSource(machine.sources()), mesh(target.mesh), kinds(traffic.kinds()) {
  std::vector<uint64_t> tiles; // by core
  for (const Machine::Core &core : machine.cores()) {
    tiles.push_back(target.tileOf(core.id));
    toHost.push_back(
        hopsBetween(mesh, mesh.at(tiles.back()), mesh.at(kHostTile)));
  }
  for (size_t k = 0; k < kinds.size(); ++k) {
    const Delivery delivery = traffic.delivery(k);
    kinds[k].tile = tiles[delivery.core];
    kinds[k].at = mesh.at(kinds[k].tile);
    Cost &cost = kinds[k].cost;
    cost[Messages] = cost[Delivered] = 1;
    cost[Words] = delivery.words;
    cost[sumOf(delivery.kind)] = delivery.count;
  }
  for (const Machine::Input &input : machine.inputs())
    addSources(traffic, input.source, input.sources(), std::nullopt);
  for (const Machine::Group &group : machine.groups())
    addSources(traffic, group.source, uint64_t(group.count) * group.sources,
               tiles[group.core]);
  kinds = {};
}

void EmissionCosts::addSources(const Traffic &traffic, uint32_t first,
                               uint64_t count, std::optional<uint64_t> tile) {
  std::optional<RouteTree> tree;
  if (mesh.multicast)
    tree.emplace(mesh, tile.value_or(kHostTile));
  std::vector<size_t> sent;
  for (uint64_t source = first; source < first + count; ++source) {
    traffic.kindsOf(static_cast<uint32_t>(source), sent);
    Cost cost{};
    for (size_t k : sent) {
      const KindCost &kind = kinds[k];
      for (size_t i = 0; i < cost.size(); ++i)
        cost[i] += kind.cost[i];
      const Hops hops =
          hopsBetween(mesh, mesh.at(tile.value_or(kHostTile)), kind.at);
      cost[HopsEw] += hops.ew;
      cost[HopsNs] += hops.ns;
      cost[Crossings] += hops.crossings;
    }
    if (tree && !sent.empty()) {
      tree->clear();
      for (size_t k : sent)
        tree->add(kinds[k].tile);
      cost[Messages] = 1;
      const Hops hops = tree->hops();
      cost[HopsEw] = hops.ew;
      cost[HopsNs] = hops.ns;
      cost[Crossings] = hops.crossings;
    }
    ofSource[source] = cost;
  }
}

SampleCounter::SampleCounter(const Machine &machine, const EmissionCosts &costs)
    : machine(machine), costs(costs), emissionsBefore(machine.sources()) {}

CoreCounts SampleCounter::visits(const EventCounter &events) const {
  CoreCounts sum;
  for (size_t g = 0; g < machine.groups().size(); ++g) {
    sum[Counter::UpdatesActive] += events.active[g];
    sum[Counter::UpdatesInactive] += events.inactive[g];
    countWork(sum, events.work[g], events.issued[g]);
  }
  for (size_t c = 0; c < machine.cores().size(); ++c)
    for (size_t o = 0; o < machine.outputs().size(); ++o) {
      const uint64_t count = events.delivered[c][o];
      if (count == 0)
        continue;
      const uint64_t flits =
          count * flitsOf(costs.mesh, machine.outputs()[o].payloadBits);
      for (Counter counter :
           {Counter::Outputs, Counter::Messages, Counter::HostMessages})
        sum.add(counter, count, 1);
      for (Counter counter : {Counter::Flits, Counter::HostFlits})
        sum.add(counter, flits, 1);
      for (Counter counter : {Counter::HopsEw, Counter::HostHopsEw})
        sum.add(counter, flits, costs.toHost[c].ew);
      for (Counter counter : {Counter::HopsNs, Counter::HostHopsNs})
        sum.add(counter, flits, costs.toHost[c].ns);
      for (Counter counter : {Counter::Crossings, Counter::HostCrossings})
        sum.add(counter, flits, costs.toHost[c].crossings);
    }
  return sum;
}

uint64_t SampleCounter::emit(CoreCounts &counts, const EventCounter &events,
                             SourceRange sources, uint64_t flits, bool isGraded,
                             bool host) {
  uint64_t emissions = 0;
  EmissionCosts::Cost sum{};
  for (uint32_t i = 0; i < sources.count; ++i) {
    const uint32_t source = sources.first + i * sources.stride;
    const uint64_t n = events.emissions[source] - emissionsBefore[source];
    if (n == 0)
      continue;
    emissionsBefore[source] += n;
    emissions += n;
    const EmissionCosts::Cost &cost = costs.ofSource[source];
    for (size_t k = 0; k < sum.size(); ++k)
      sum[k] += n * cost[k];
  }
  auto add = [&](Counter all, Counter part, uint64_t n, bool isPart) {
    counts[all] += n;
    if (isPart)
      counts[part] += n;
  };
  const uint64_t messages = sum[EmissionCosts::Messages],
                 ew = sum[EmissionCosts::HopsEw] * flits,
                 ns = sum[EmissionCosts::HopsNs] * flits,
                 crossings = sum[EmissionCosts::Crossings] * flits;
  add(Counter::Messages, Counter::HostMessages, messages, host);
  add(Counter::Flits, Counter::HostFlits, messages * flits, host);
  add(Counter::HopsEw, Counter::HostHopsEw, ew, host);
  add(Counter::HopsNs, Counter::HostHopsNs, ns, host);
  add(Counter::Crossings, Counter::HostCrossings, crossings, host);
  counts[Counter::WithinTile] += sum[EmissionCosts::Delivered];
  counts[Counter::AxonReads] += sum[EmissionCosts::Delivered];
  counts[Counter::SynmemWords] += sum[EmissionCosts::Words];
  for (ListKind kind : {ListKind::Dense, ListKind::Sparse, ListKind::Conv})
    add(synopsOf(kind, false), synopsOf(kind, true), sum[sumOf(kind)],
        isGraded);
  return emissions;
}

CoreCounts SampleCounter::take(const EventCounter &events, uint64_t steps,
                               uint64_t ticks) {
  const CoreCounts now = visits(events);
  CoreCounts sample = now;
  sample -= visitsBefore;
  visitsBefore = now;
  sample[Counter::Steps] = sample[Counter::Barriers] = steps;
  sample[Counter::Tokens] = ticks;
  for (const Machine::Input &input : machine.inputs())
    sample[Counter::Inputs] +=
        emit(sample, events, {input.source, input.sources(), 1},
             flitsOf(costs.mesh, input.payloadBits), input.graded, true);
  for (const Machine::Group &group : machine.groups())
    for (uint32_t part = 0; part < group.sources; ++part) {
      const SpikeForm form = spikeForm(group, part);
      sample[form.counter] += emit(
          sample, events, {group.sourceOf(0, part), group.count, group.sources},
          flitsOf(costs.mesh, form.payloadBits), form.graded, false);
    }
  return sample;
}

} // namespace dendrolith::sim
