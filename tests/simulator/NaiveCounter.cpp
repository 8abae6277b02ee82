// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulator/NaiveCounter.h"

#include "runtime/image/NeuronNumbers.h"
#include "runtime/image/Tables.h"

#include <cstdlib>
#include <set>

namespace dendrolith::test {

using sim::CoreCounts;
using sim::Counter;
using sim::Counts;

namespace {

/// An entry of a synapse list falls due at an accumulator.
using Arrival = std::pair<uint32_t, uint32_t>; // core, accumulator

class Count {
public:
  Count(const image::Program &program, const Target &target,
        const std::map<std::string, Samples> &inputs,
        const std::map<std::string, NaiveRecord> &records)
      : program(program), target(target), inputs(inputs), records(records),
        numbers(program) {
    std::set<uint64_t> tiles;
    for (const image::Core &core : program.cores()) {
      images[core.id()] = &core;
      counts.cores[core.id()];
      tiles.insert(core.id() / target.mesh.coresPerTile);
    }
    counts.tiles = tiles.size();
    numberTiles();
    std::set<uint64_t> chips = {chipOf(0)};
    for (uint64_t tile : tiles)
      chips.insert(chipOf(tile));
    std::set<uint64_t> paid = chips;
    for (uint64_t from : chips)
      for (uint64_t to : chips)
        walk(from * perChip, to * perChip,
             [&](uint64_t, uint64_t tile) { paid.insert(chipOf(tile)); });
    counts.chips = paid.size();
  }

  NaiveAttribution by;

  Counts run() {
    uint64_t period = program.schedule().period();
    uint64_t depth = program.schedule().depth();
    ticks = inputs.begin()->second.steps;
    for (sample = 0; sample < inputs.begin()->second.samples; ++sample) {
      arrivals.clear();
      counts.chip[Counter::Tokens] += ticks;
      counts.chip[Counter::Resets] += 1;
      for (step = 0; step < (ticks - 1) * period + depth; ++step) {
        counts.chip[Counter::Steps] += 1;
        counts.chip[Counter::Barriers] += 1;
        for (uint64_t tick = 0; tick < ticks; ++tick)
          runTick(tick, period);
      }
    }
    for (const auto &[link, flits] : links)
      counts.links.push_back({link.first, link.second, flits});
    return counts;
  }

private:
  /// Chips row by row, and on each its tiles row by row.
  void numberTiles() {
    const Mesh &mesh = target.mesh;
    const uint64_t wide = mesh.tilesX / mesh.chipsX,
                   high = mesh.tilesY / mesh.chipsY;
    perChip = wide * high;
    for (uint64_t chipY = 0; chipY < mesh.chipsY; ++chipY)
      for (uint64_t chipX = 0; chipX < mesh.chipsX; ++chipX)
        for (uint64_t y = 0; y < high; ++y)
          for (uint64_t x = 0; x < wide; ++x) {
            const std::pair<uint64_t, uint64_t> at(chipX * wide + x,
                                                   chipY * high + y);
            tileAt[at] = places.size();
            places.push_back(at);
          }
  }
  uint64_t chipOf(uint64_t tile) const { return tile / perChip; }
  /// Calls visit(from, to) for each link of the way, in x first.
  template <typename Visit>
  void walk(uint64_t fromTile, uint64_t toTile, Visit visit) const {
    auto [x, y] = places[fromTile];
    for (uint64_t at = fromTile; at != toTile;) {
      const auto [toX, toY] = places[toTile];
      if (x != toX)
        x += x < toX ? 1 : -1;
      else
        y += y < toY ? 1 : -1;
      const uint64_t next = tileAt.at({x, y});
      visit(at, next);
      at = next;
    }
  }

  void runTick(uint64_t tick, uint64_t period) {
    for (const image::Input &input : program.inputs())
      if (input.phase() + period * tick == step)
        inject(input, tick);
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups())
        if (group.phase() + period * tick == step)
          visit(core, group, tick);
  }

  void inject(const image::Input &input, uint64_t tick) {
    const Samples &array = inputs.at(input.name());
    const bool split = input.kind() == image::Input::SPLIT;
    const bool unary = split || input.kind() == image::Input::UNARY;
    const bool graded = input.kind() == image::Input::INTEGER;
    uint64_t bits = 1;
    if (graded && input.low() < 0)
      while (input.low() < -(int64_t(1) << (bits - 1)) ||
             input.high() >= (int64_t(1) << (bits - 1)))
        ++bits;
    else if (graded)
      while (input.high() >= (int64_t(1) << bits))
        ++bits;
    for (uint64_t e = 0; e < array.width(); ++e) {
      const int64_t value = naivePayload(input, array.at(sample, tick, e));
      const uint64_t source = split ? 2 * e + (value < 0) : e;
      for (int64_t sent = 0; sent < (unary ? std::abs(value) : value != 0);
           ++sent) {
        count({&counts.host, &by.layers[input.name()]}, Counter::Inputs);
        send(input.axons(), source, counts.host, 0, flits(bits), graded, true,
             input.name());
      }
    }
  }

  uint64_t flits(uint64_t bits) const {
    uint64_t n = 1;
    while (n * target.mesh.flitBits < bits)
      ++n;
    return n;
  }

  using Counted = std::initializer_list<CoreCounts *>;
  static void count(Counted at, Counter counter, uint64_t n = 1) {
    for (CoreCounts *counts : at)
      (*counts)[counter] += n;
  }

  /// The population whose neurons hold an accumulator.
  static std::string holder(const image::Core &core, uint32_t accumulator) {
    for (const image::Group &group : core.groups())
      if (accumulator >= group.base() &&
          accumulator < group.base() + group.count())
        return group.population();
    std::abort();
  }

  /// Counts one message over the mesh to some tiles, link by link, in x first.
  /// A link that leads to several of them is passed once.
  void travel(Counted from, uint64_t fromTile,
              const std::set<uint64_t> &toTiles, uint64_t flits, bool host) {
    uint64_t ew = 0, ns = 0, crossings = 0;
    std::set<std::pair<uint32_t, uint32_t>> passed;
    for (uint64_t toTile : toTiles)
      walk(fromTile, toTile, [&](uint64_t at, uint64_t next) {
        const bool inRow = places[at].second == places[next].second;
        if (passed.emplace(at, next).second)
          (chipOf(at) != chipOf(next) ? crossings : inRow ? ew : ns) += flits;
      });
    for (const auto &link : passed)
      links[link] += flits;
    count(from, Counter::Messages);
    count(from, Counter::Flits, flits);
    count(from, Counter::HopsEw, ew);
    count(from, Counter::HopsNs, ns);
    count(from, Counter::Crossings, crossings);
    if (host) {
      count(from, Counter::HostMessages);
      count(from, Counter::HostFlits, flits);
      count(from, Counter::HostHopsEw, ew);
      count(from, Counter::HostHopsNs, ns);
      count(from, Counter::HostCrossings, crossings);
    }
  }

  void send(const image::Axons &axons, uint64_t source, CoreCounts &from,
            uint64_t fromTile, uint64_t flits, bool graded, bool host,
            const std::string &name) {
    AxonTable table = decodeAxons(axons);
    CoreCounts &layer = by.layers[name];
    std::set<uint64_t> all; // tiles of a message that is multicast
    std::set<std::string> reached;
    for (uint32_t r = table.begin[source]; r < table.begin[source + 1]; ++r) {
      uint32_t id = table.rows[r].core;
      const uint64_t tile = id / target.mesh.coresPerTile;
      all.insert(tile);
      const image::Core &core = *images.at(id);
      InAxon axon = decodeInAxons(core.in_axons())[table.rows[r].axon];
      SynapseList list = decodeLists(core.synapses().lists())[axon.list];
      std::vector<uint32_t> offsets = decodeU32(core.synapses().offsets());
      const std::vector<uint16_t> delays =
          decodeDelays(core.synapses().weights());
      const bool dense = list.kind == ListKind::Dense;
      const std::string to =
          holder(core, axon.base + (dense ? 0 : offsets[list.firstOffset]));
      reached.insert(to);
      CoreCounts &flow = by.flows[{name, to}];
      if (!target.mesh.multicast)
        travel({&from, &layer, &flow}, fromTile, {tile}, flits, host);
      count({&counts.cores.at(id), &layer, &flow}, Counter::WithinTile);
      const Counted served = {&counts.cores.at(id), &by.layers[to], &flow};
      count(served, Counter::AxonReads);
      count(served, Counter::SynmemWords, list.words);
      for (uint32_t k = 0; k < list.count; ++k) {
        count(served, dense ? Counter::SynopsDense : Counter::SynopsSparse);
        if (graded)
          count(served, dense ? Counter::SynopsGradedDense
                              : Counter::SynopsGradedSparse);
        uint32_t at = axon.base + (dense ? k : offsets[list.firstOffset + k]);
        arrivals[{id, at}].insert(
            step + 1 + axon.delay +
            (delays.empty() ? 0 : delays[list.first + k]));
      }
    }
    if (!target.mesh.multicast || all.empty())
      return;
    const std::string to = reached.size() == 1 ? *reached.begin() : "*";
    travel({&from, &layer, &by.flows[{name, to}]}, fromTile, all, flits, host);
  }

  static int32_t pick(const google::protobuf::RepeatedField<int32_t> &values,
                      uint32_t n) {
    return values.empty() ? 0 : values[values.size() == 1 ? 0 : n];
  }

  uint64_t index(const image::Group &group, uint32_t n, uint64_t tick) const {
    for (const image::Population &p : program.populations())
      if (p.name() == group.population())
        return (sample * ticks + tick) * p.size() + numbers.of(group, n);
    std::abort();
  }

  /// Whether updates of the refractory period remain before this tick, from the
  /// last spike on.
  bool refractory(const image::Group &group, uint32_t n, uint64_t tick) const {
    for (uint64_t back = 1; back <= tick; ++back)
      if (records.at(group.population()).spikes[index(group, n, tick - back)])
        return group.cuba().refractory() > back;
    return false;
  }

  void visit(const image::Core &core, const image::Group &group,
             uint64_t tick) {
    CoreCounts &here = counts.cores.at(core.id());
    CoreCounts &layer = by.layers[group.population()];
    const NaiveRecord &record = records.at(group.population());
    uint64_t tile = core.id() / target.mesh.coresPerTile;
    for (uint32_t n = 0; n < group.count(); ++n) {
      std::set<uint64_t> &due = arrivals[{core.id(), group.base() + n}];
      bool touched = !due.empty() && *due.begin() <= step;
      due.erase(due.begin(), due.upper_bound(step));
      int64_t u = pick(group.cuba().initial_u(), n);
      int64_t v = pick(group.cuba().initial_v(), n);
      if (tick > 0) {
        u = record.u[index(group, n, tick - 1)];
        v = record.v[index(group, n, tick - 1)];
      }
      bool active = touched || u != 0 || v != 0 || refractory(group, n, tick) ||
                    pick(group.cuba().bias(), n) != 0;
      count({&here, &layer},
            active ? Counter::UpdatesActive : Counter::UpdatesInactive);
      uint64_t now = index(group, n, tick);
      if (record.spikes[now]) {
        count({&here, &layer}, Counter::SpikesBinary);
        send(group.axons(), n, here, tile, 1, false, false, group.population());
      }
      for (const image::Output &output : program.outputs()) {
        if (output.population() != group.population())
          continue;
        bool spikes = output.kind() == image::Output::SPIKES;
        int64_t value = spikes                 ? record.spikes[now]
                        : output.from() == "v" ? record.v[now]
                                               : record.u[now];
        if (value == 0)
          continue;
        const Counted sent = {&here, &layer,
                              &by.flows[{group.population(), ""}]};
        count(sent, Counter::Outputs);
        travel(sent, tile, {0}, flits(spikes ? 1 : 32), true);
      }
    }
  }

  const image::Program &program;
  const Target &target;
  const std::map<std::string, Samples> &inputs;
  const std::map<std::string, NaiveRecord> &records;
  const NeuronNumbers numbers;
  std::map<uint32_t, const image::Core *> images;
  std::map<Arrival, std::set<uint64_t>> arrivals; // steps due
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> links;
  std::vector<std::pair<uint64_t, uint64_t>> places;        // x, y by tile
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> tileAt; // of tiles
  uint64_t perChip = 1;
  Counts counts;
  uint64_t sample = 0, step = 0, ticks = 0;
};

} // namespace

Counts countNaively(const image::Program &program, const Target &target,
                    const std::map<std::string, Samples> &inputs,
                    const std::map<std::string, NaiveRecord> &records,
                    NaiveAttribution *attribution) {
  Count count(program, target, inputs, records);
  Counts counts = count.run();
  if (attribution)
    *attribution = count.by;
  return counts;
}

static std::string difference(const std::string &place, const CoreCounts &a,
                              const CoreCounts &b) {
  for (size_t i = 0; i < kCounters; ++i)
    if (const auto c = static_cast<Counter>(i); a[c] != b[c])
      return place + " " + sim::counterName(c) + ": " + std::to_string(a[c]) +
             " and " + std::to_string(b[c]);
  return "";
}

std::string difference(const sim::Attribution &engine,
                       const NaiveAttribution &naive) {
  std::string found;
  for (const sim::LayerCounts &layer : engine.layers) {
    auto at = naive.layers.find(layer.name);
    found += difference(layer.name, layer.counts,
                        at == naive.layers.end() ? CoreCounts() : at->second);
  }
  for (const sim::FlowCounts &flow : engine.flows) {
    const std::string source = engine.layers.at(flow.source).name;
    const std::string target = flow.target == sim::FlowCounts::host ? ""
                               : flow.target == sim::FlowCounts::several
                                   ? "*"
                                   : engine.layers.at(flow.target).name;
    auto at = naive.flows.find({source, target});
    found +=
        at == naive.flows.end()
            ? "no flow from " + source + " to " + target
            : difference(source + " to " + target, flow.counts, at->second);
  }
  if (engine.flows.size() != naive.flows.size())
    found += "other flows";
  return found;
}

std::map<std::string, NaiveRecord> recordsOf(const image::Program &program,
                                             const sim::RunResult &result) {
  std::set<std::string> firing;
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups())
      if (!group.cuba().silent())
        firing.insert(group.population());
  std::map<std::string, NaiveRecord> records;
  for (const sim::TraceData &trace : result.traces) {
    NaiveRecord &record = records[trace.population];
    if (trace.state == "u")
      record.u = trace.values;
    else if (trace.state == "v")
      record.v = trace.values;
    else if (firing.count(trace.population))
      record.spikes = trace.values;
    else
      record.spikes.assign(trace.values.size(), 0);
  }
  return records;
}

} // namespace dendrolith::test
