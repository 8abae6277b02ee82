// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/Expansion.h"

#include "simulator/events/EventCounter.h"
#include "simulator/functional/machine/OnTarget.h"
#include "targets/loader/chip/Sections.h"

#include <algorithm>

namespace dendrolith::sim {

Expansion::Expansion(const Machine &machine, const EventCounter &events,
                     const Target &target, const Traffic &traffic)
    : machine(machine), events(events), target(target), traffic(traffic),
      received(traffic.kinds()), graded(traffic.kinds()),
      flitsTo(target.numTiles()) {
  for (const Machine::Core &core : machine.cores()) {
    tileOf.push_back(target.tileOf(core.id));
    at.push_back(&result.counts.cores[core.id]);
  }
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
  for (size_t kind = 0; kind < traffic.kinds(); ++kind) {
    const Delivery delivery = traffic.delivery(kind);
    auto [at, isNew] =
        numbers.emplace(std::pair(delivery.core, delivery.population),
                        static_cast<uint32_t>(sections.size()));
    if (isNew)
      sections.push_back({delivery.core, delivery.population});
    sectionOf.push_back(at->second);
  }
  for (const Machine::Input &input : machine.inputs())
    result.attribution.layers.push_back({input.name, true, input.size, {}});
  for (const Machine::Population &population : machine.populations())
    result.attribution.layers.push_back(
        {population.name, false, population.size, {}});
}

Expanded Expansion::run() {
  CoreCounts &chip = result.counts.chip;
  chip[Counter::Steps] = chip[Counter::Barriers] = events.steps;
  chip[Counter::Tokens] = events.tokens;
  chip[Counter::Resets] = events.samples;
  const Extent extent = extentOf(machine, target);
  result.counts.tiles = extent.tiles;
  result.counts.chips = extent.chips.size();
  result.attribution.chip = chip;
  for (const Machine::Input &input : machine.inputs())
    countInput(input);
  for (uint32_t p = 0; p < machine.populations().size(); ++p)
    countPopulation(p);
  countOutputs();
  for (const auto &[link, flits] : links)
    result.counts.links.push_back({link.first, link.second, flits});
  addFlows(result.attribution);
  return std::move(result);
}

void Expansion::countInput(const Machine::Input &input) {
  CoreCounts &host = result.counts.host;
  Both own{host, result.attribution.layers[layer].counts};
  for (uint32_t s = 0; s < input.sources(); ++s)
    own.add(Counter::Inputs, events.emissions[input.source + s], 1);
  begin(kHostTile);
  emit(host, {input.source, input.sources(), 1},
       flitsOf(target.mesh, input.payloadBits), input.graded, /*host=*/true);
  end();
  serve();
}

void Expansion::countPopulation(uint32_t population) {
  for (uint32_t g : machine.populations()[population].groups) {
    const Machine::Group &group = machine.groups()[g];
    CoreCounts &from = *at[group.core], own;
    own[Counter::UpdatesActive] = events.active[g];
    own[Counter::UpdatesInactive] = events.inactive[g];
    countWork(own, events.work[g], events.issued[g]);
    begin(tileOf[group.core]);
    for (uint32_t part = 0; part < group.sources; ++part) {
      const SpikeForm form = spikeForm(group, part);
      for (uint32_t n = 0; n < group.count; ++n)
        own[form.counter] += events.emissions[group.sourceOf(n, part)] +
                             events.lost[group.sourceOf(n, part)];
      emit(from, {group.sourceOf(0, part), group.count, group.sources},
           flitsOf(target.mesh, form.payloadBits), form.graded, /*host=*/false);
    }
    end();
    from += own;
    result.attribution.layers[layer].counts += own;
  }
  serve();
}

void Expansion::countOutputs() {
  const auto inputs = static_cast<uint32_t>(machine.inputs().size());
  std::map<uint32_t, CoreCounts> toHost; // by layer
  for (size_t c = 0; c < machine.cores().size(); ++c) {
    begin(tileOf[c]);
    for (size_t o = 0; o < machine.outputs().size(); ++o) {
      const uint64_t count = events.delivered[c][o];
      if (count == 0)
        continue;
      const Machine::Output &output = machine.outputs()[o];
      const uint64_t flits = flitsOf(target.mesh, output.payloadBits);
      Both to{*at[c], toHost[inputs + output.population]};
      to.add(Counter::Outputs, count, 1);
      travel(to, count, flits,
             hopsBetween(target.mesh, target.mesh.at(fromTile),
                         target.mesh.at(kHostTile)),
             /*host=*/true);
      flitsTo[kHostTile] += count * flits;
    }
    end();
  }
  for (const auto &[source, counts] : toHost)
    result.attribution.flows.push_back({source, FlowCounts::host, counts});
  std::sort(result.attribution.flows.begin(), result.attribution.flows.end(),
            [](const FlowCounts &a, const FlowCounts &b) {
              return std::pair(a.source, a.target) <
                     std::pair(b.source, b.target);
            });
}

void Expansion::begin(uint64_t tile) {
  fromTile = tile;
  if (target.mesh.multicast)
    tree.emplace(target.mesh, tile);
}

void Expansion::end() {
  for (uint64_t tile = 0; tile < flitsTo.size(); ++tile) {
    const uint64_t flits = std::exchange(flitsTo[tile], 0);
    if (flits)
      for (const auto &link : routeBetween(target.mesh, fromTile, tile))
        links[link] += flits;
  }
}

void Expansion::travel(Both to, uint64_t messages, uint64_t flits, Hops hops,
                       bool host) {
  to.add(Counter::Messages, messages, 1);
  to.add(Counter::Flits, messages, flits);
  to.add(Counter::HopsEw, messages * flits, hops.ew);
  to.add(Counter::HopsNs, messages * flits, hops.ns);
  to.add(Counter::Crossings, messages * flits, hops.crossings);
  if (!host)
    return;
  to.add(Counter::HostMessages, messages, 1);
  to.add(Counter::HostFlits, messages, flits);
  to.add(Counter::HostHopsEw, messages * flits, hops.ew);
  to.add(Counter::HostHopsNs, messages * flits, hops.ns);
  to.add(Counter::HostCrossings, messages * flits, hops.crossings);
}

void Expansion::emit(CoreCounts &from, SourceRange sources, uint64_t flits,
                     bool isGraded, bool host) {
  for (const Traffic::Messages &sent :
       traffic.sum(sources, events.emissions.data())) {
    if (received[sent.kind] == 0)
      used.push_back(sent.kind);
    received[sent.kind] += sent.count;
    if (isGraded)
      graded[sent.kind] += sent.count;
    sections[sectionOf[sent.kind]].messages += sent.count;
  }
  for (Section &to : sections) {
    const uint64_t messages = std::exchange(to.messages, 0);
    if (messages == 0 || target.mesh.multicast)
      continue;
    const uint64_t tile = tileOf[to.core];
    flitsTo[tile] += messages * flits;
    travel({from, flows[to.population]}, messages, flits,
           hopsBetween(target.mesh, target.mesh.at(fromTile),
                       target.mesh.at(tile)),
           host);
  }
  if (target.mesh.multicast)
    emitTrees(from, sources, flits, host);
}

/// Counts messages that go to all destinations of an emission.
void Expansion::emitTrees(CoreCounts &from, SourceRange sources, uint64_t flits,
                          bool host) {
  std::vector<size_t> kinds;
  for (uint32_t i = 0; i < sources.count; ++i) {
    const uint32_t source = sources.first + i * sources.stride;
    const uint64_t times = events.emissions[source];
    if (times == 0)
      continue;
    traffic.kindsOf(source, kinds);
    if (kinds.empty())
      continue;
    uint32_t to = sections[sectionOf[kinds.front()]].population;
    tree->clear();
    for (size_t kind : kinds) {
      const Section &section = sections[sectionOf[kind]];
      tree->add(tileOf[section.core]);
      if (section.population != to)
        to = FlowCounts::several;
    }
    travel({from, flows[to]}, times, flits, tree->hops(), host);
    tree->forEachLink([&](const MeshLink &link) {
      links[{uint32_t(link.from), uint32_t(link.to)}] += times * flits;
    });
  }
}

void Expansion::serve() {
  for (size_t kind : used) {
    const uint64_t count = std::exchange(received[kind], 0),
                   integers = std::exchange(graded[kind], 0);
    const Delivery delivery = traffic.delivery(kind);
    Both to{*at[delivery.core], flows[delivery.population]};
    to.add(Counter::WithinTile, count, 1);
    to.add(Counter::AxonReads, count, 1);
    to.add(Counter::SynmemWords, count, delivery.words);
    to.add(synopsOf(delivery.kind, false), count, delivery.count);
    to.add(synopsOf(delivery.kind, true), integers, delivery.count);
    result.effective += count * delivery.nonZero;
  }
  used.clear();
  // Flows name layers, of which the inputs are the first.
  const auto inputs = static_cast<uint32_t>(machine.inputs().size());
  for (const auto &[to, counts] : flows)
    result.attribution.flows.push_back(
        {layer, to == FlowCounts::several ? to : inputs + to, counts});
  flows.clear();
  ++layer;
}

} // namespace dendrolith::sim
