// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/EventCounter.h"

#include "simulator/events/SpikeForm.h"
#include "simulator/events/WorkCounts.h"
#include "simulator/functional/machine/OnTarget.h"
#include "targets/loader/Payload.h"
#include "targets/loader/Routing.h"

#include <map>
#include <optional>

namespace neurite::sim {

EventCounter::EventCounter(const Machine &machine)
    : emissions(machine.sources()), gradedEmissions(machine.sources()),
      active(machine.cores().size()), inactive(machine.cores().size()),
      work(machine.cores().size()), issued(machine.cores().size()),
      wrapped(machine.populations().size()),
      clipped(machine.populations().size()),
      ended(machine.populations().size()),
      membraneUpdates(machine.populations().size()),
      delivered(machine.cores().size(),
                std::vector<uint64_t>(machine.outputs().size())),
      machine(machine), spikeCounter(machine) {}

void EventCounter::inject(const Inputs &inputs, uint64_t sample, uint64_t step,
                          const std::vector<Injection> &injections) {
  for (const Injection &injection : injections)
    ++emissions[injection.source];
  for (uint32_t i = 0; i < machine.inputs().size(); ++i) {
    const Machine::Input &input = machine.inputs()[i];
    uint64_t tick = 0;
    if (!input.graded ||
        !machine.tickAt(input.schedule, step, inputs.ticks(), tick) ||
        inputs.unitValued(i, sample, tick))
      continue;
    for (const Injection &injection : injections)
      if (injection.source - input.source < input.size)
        ++gradedEmissions[injection.source];
  }
}

void EventCounter::update(uint32_t groupIndex, uint64_t tick,
                          const GroupUpdate &update) {
  const Machine::Group &group = machine.groups()[groupIndex];
  active[group.core] += update.active;
  inactive[group.core] += update.inactive;
  wrapped[group.population] += update.wrapped;
  clipped[group.population] += update.clipped;
  ended[group.population] += update.ended;
  membraneUpdates[group.population] += tick == 0 ? group.count : update.changed;
  for (size_t c = 0; c < update.work.size(); ++c)
    work[group.core][c] += update.work[c];
  issued[group.core] += update.issued;
  for (const Emission &emission : update.emissions)
    ++emissions[group.sourceOf(emission.neuron, emission.source)];
  spikeCounter.count(group, update);
  for (const HostMessage &message : update.hostMessages)
    ++delivered[group.core][message.output];
}

void EventCounter::endSample(uint64_t ticks) {
  ++samples;
  tokens += ticks;
  steps += machine.stepsOf(ticks);
}

static void add(std::vector<uint64_t> &to, const std::vector<uint64_t> &from) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}

void EventCounter::merge(const EventCounter &other) {
  samples += other.samples;
  tokens += other.tokens;
  steps += other.steps;
  saturatedInputs += other.saturatedInputs;
  add(emissions, other.emissions);
  add(gradedEmissions, other.gradedEmissions);
  add(active, other.active);
  add(inactive, other.inactive);
  add(issued, other.issued);
  for (size_t c = 0; c < work.size(); ++c)
    for (size_t k = 0; k < work[c].size(); ++k)
      work[c][k] += other.work[c][k];
  add(wrapped, other.wrapped);
  add(clipped, other.clipped);
  add(ended, other.ended);
  spikeCounter.merge(other.spikeCounter);
  add(membraneUpdates, other.membraneUpdates);
  for (size_t c = 0; c < delivered.size(); ++c)
    add(delivered[c], other.delivered[c]);
}

Saturations EventCounter::saturations() const {
  Saturations result;
  result.inputs = saturatedInputs;
  for (size_t p = 0; p < wrapped.size(); ++p) {
    const std::string &name = machine.populations()[p].name;
    if (wrapped[p])
      result.wrapped[name] = wrapped[p];
    if (clipped[p])
      result.clipped[name] = clipped[p];
    if (ended[p])
      result.ended[name] = ended[p];
  }
  return result;
}

namespace {

/// Builds Counts from what was counted. Flits leave one place (a core or the
/// host) at a time and are gathered by destination tile, so that routes are
/// walked once per pair of tiles and not once per row; with multicast a tree of
/// routes is walked once per source. What happens at the destination does not
/// ask where a message came from and is multiplied out once for each kind.
class Expansion {
public:
  Expansion(const Machine &machine, const Target &target,
            const Traffic &traffic)
      : target(target), traffic(traffic), flitsTo(target.numTiles()),
        received(traffic.kinds()), graded(traffic.kinds()) {
    std::vector<uint32_t> tiles;
    for (const Machine::Core &core : machine.cores()) {
      tiles.push_back(uint32_t(target.tileOf(core.id)));
      at.push_back(&counts.cores[core.id]);
    }
    for (size_t kind = 0; kind < traffic.kinds(); ++kind)
      tileOf.push_back(tiles[traffic.delivery(kind).core]);
  }

  /// times[source] emissions of each of the sources, counted at `from`.
  void emit(CoreCounts &from, SourceRange sources, const uint64_t *times,
            uint64_t flits, bool isGraded) {
    uint64_t messages = 0;
    const bool trees = target.mesh.multicast;
    for (const Traffic::Messages &sent : traffic.sum(sources, times)) {
      messages += sent.count;
      if (!trees)
        flitsTo[tileOf[sent.kind]] += sent.count * flits;
      received[sent.kind] += sent.count;
      if (isGraded)
        graded[sent.kind] += sent.count;
    }
    if (trees)
      messages = emitTrees(from, sources, times, flits);
    from.add(Counter::Messages, messages, 1);
    from.add(Counter::Flits, messages, flits);
  }

  /// The destinations' side of all that was emitted; returns the synaptic
  /// operations with a weight other than 0.
  uint64_t receive() {
    uint64_t effective = 0;
    for (size_t kind = 0; kind < received.size(); ++kind) {
      const uint64_t count = received[kind];
      if (count == 0)
        continue;
      const Delivery delivery = traffic.delivery(kind);
      CoreCounts &core = *at[delivery.core];
      core[Counter::WithinTile] += count;
      core[Counter::AxonReads] += count;
      core.add(Counter::SynmemWords, count, delivery.words);
      core.add(synopsOf(delivery.kind, false), count, delivery.count);
      core.add(synopsOf(delivery.kind, true), graded[kind], delivery.count);
      effective += count * delivery.nonZero;
    }
    return effective;
  }

  /// `count` messages to the host.
  void deliver(CoreCounts &from, uint64_t count, uint64_t flits) {
    for (Counter c :
         {Counter::Outputs, Counter::Messages, Counter::HostMessages})
      from.add(c, count, 1);
    for (Counter c : {Counter::Flits, Counter::HostFlits})
      from.add(c, count, flits);
    flitsTo[kHostTile] += count * flits;
    Hops hops =
        hopsBetween(target.mesh.at(fromTile), target.mesh.at(kHostTile));
    from.add(Counter::HostHopsEw, count * flits, hops.ew);
    from.add(Counter::HostHopsNs, count * flits, hops.ns);
  }

  void begin(uint64_t tile) {
    fromTile = tile;
    if (target.mesh.multicast)
      tree.emplace(target.mesh, tile);
  }

  /// Turns what was gathered since begin() into hops of `from`.
  void end(CoreCounts &from) {
    for (uint64_t tile = 0; tile < flitsTo.size(); ++tile) {
      uint64_t flits = flitsTo[tile];
      if (flits == 0)
        continue;
      flitsTo[tile] = 0;
      Hops hops = hopsBetween(target.mesh.at(fromTile), target.mesh.at(tile));
      from.add(Counter::HopsEw, flits, hops.ew);
      from.add(Counter::HopsNs, flits, hops.ns);
      for (const auto &link : routeBetween(target.mesh, fromTile, tile))
        links[link] += flits;
    }
  }

  Counts counts;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> links;

private:
  /// Counts the links of messages that go to all destinations of an emission;
  /// returns how many there are.
  uint64_t emitTrees(CoreCounts &from, SourceRange sources,
                     const uint64_t *times, uint64_t flits) {
    uint64_t messages = 0;
    for (uint32_t i = 0; i < sources.count; ++i) {
      const uint32_t source = sources.first + i * sources.stride;
      if (times[source] == 0)
        continue;
      traffic.kindsOf(source, kinds);
      if (kinds.empty())
        continue;
      messages += times[source];
      tree->clear();
      for (size_t kind : kinds)
        tree->add(tileOf[kind]);
      const Hops hops = tree->hops();
      from.add(Counter::HopsEw, times[source] * flits, hops.ew);
      from.add(Counter::HopsNs, times[source] * flits, hops.ns);
      tree->forEachLink([&](const MeshLink &link) {
        links[{uint32_t(link.from), uint32_t(link.to)}] +=
            times[source] * flits;
      });
    }
    return messages;
  }

  const Target &target;
  const Traffic &traffic;
  uint64_t fromTile = 0;
  std::optional<RouteTree> tree;          // of the tile, with multicast
  std::vector<size_t> kinds;              // of the source in turn
  std::vector<uint64_t> flitsTo;          // by tile
  std::vector<uint64_t> received, graded; // messages by kind
  std::vector<uint32_t> tileOf;           // by kind
  std::vector<CoreCounts *> at;           // by core
};

} // namespace

Expanded EventCounter::expand(const Target &target,
                              const Traffic &traffic) const {
  Expansion expansion(machine, target, traffic);
  Counts &counts = expansion.counts;
  counts.chip[Counter::Steps] = counts.chip[Counter::Barriers] = steps;
  counts.chip[Counter::Tokens] = tokens;
  counts.chip[Counter::Resets] = samples;
  counts.tiles = usedTiles(machine, target);
  expansion.begin(kHostTile);
  for (const Machine::Input &input : machine.inputs()) {
    SourceRange all{input.source, static_cast<uint32_t>(input.size), 1};
    for (uint64_t e = 0; e < input.size; ++e)
      counts.host[Counter::Inputs] += emissions[input.source + e];
    expansion.emit(counts.host, all, emissions.data(),
                   flitsOf(target.mesh, input.payloadBits), input.graded);
  }
  expansion.end(counts.host);
  counts.host[Counter::HostMessages] = counts.host[Counter::Messages];
  counts.host[Counter::HostFlits] = counts.host[Counter::Flits];
  counts.host[Counter::HostHopsEw] = counts.host[Counter::HopsEw];
  counts.host[Counter::HostHopsNs] = counts.host[Counter::HopsNs];

  for (size_t c = 0; c < machine.cores().size(); ++c) {
    const Machine::Core &core = machine.cores()[c];
    CoreCounts &at = counts.cores[core.id];
    at[Counter::UpdatesActive] = active[c];
    at[Counter::UpdatesInactive] = inactive[c];
    countWork(at, work[c], issued[c]);
    expansion.begin(target.tileOf(core.id));
    for (uint32_t g = 0; g < core.groups; ++g) {
      const Machine::Group &group = machine.groups()[core.firstGroup + g];
      for (uint32_t part = 0; part < group.sources; ++part) {
        SpikeForm form = spikeForm(group, part);
        for (uint32_t n = 0; n < group.count; ++n)
          at[form.counter] += emissions[group.sourceOf(n, part)];
        expansion.emit(at,
                       {group.sourceOf(0, part), group.count, group.sources},
                       emissions.data(), flitsOf(target.mesh, form.payloadBits),
                       form.graded);
      }
    }
    for (size_t o = 0; o < machine.outputs().size(); ++o)
      expansion.deliver(at, delivered[c][o],
                        flitsOf(target.mesh, machine.outputs()[o].payloadBits));
    expansion.end(at);
  }
  const uint64_t effective = expansion.receive();
  for (const auto &[link, flits] : expansion.links)
    counts.links.push_back({link.first, link.second, flits});
  return {std::move(counts), effective};
}

} // namespace neurite::sim
