// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/Timing.h"

#include "targets/Schema.h"
#include "targets/Sha256.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite {

uint64_t BarrierTiming::time(uint64_t tiles) const {
  tiles = std::max<uint64_t>(tiles, 1);
  if (form == Form::Formula)
    return base + span * (tiles - 1) / over;
  for (const auto &[upTo, duration] : table)
    if (tiles <= upTo)
      return duration;
  return table.empty() ? 0 : table.back().second;
}

namespace yaml {

namespace {

PortTiming readMeshPort(const Fields &ports, const std::string &key,
                        const RecordReader &section) {
  RecordReader reader = section.under(key);
  Fields fields(ports.at(key), key,
                {"forward", "credit", "interval", "buffer"});
  PortTiming port;
  port.forward = reader.number(fields, "forward", "ps", 0, maxTime);
  port.credit = reader.number(fields, "credit", "ps", 0, maxTime);
  port.interval = reader.number(fields, "interval", "ps", 0, maxTime);
  port.buffer = reader.number(fields, "buffer", "flits", 1, 1 << 16);
  return port;
}

PortTiming readLocalPort(const Fields &ports, const RecordReader &section) {
  RecordReader reader = section.under("local");
  Fields fields(ports.at("local"), "local",
                {"inject", "eject", "credit", "interval", "buffer"});
  PortTiming port;
  port.inject = reader.number(fields, "inject", "ps", 0, maxTime);
  port.eject = reader.number(fields, "eject", "ps", 0, maxTime);
  port.credit = reader.number(fields, "credit", "ps", 0, maxTime);
  port.interval = reader.number(fields, "interval", "ps", 0, maxTime);
  port.buffer = reader.number(fields, "buffer", "flits", 1, 1 << 16);
  return port;
}

NocTiming readNoc(const Node &node, RecordReader reader) {
  Fields fields(node, "noc", {"grid", "east_west", "north_south", "local"});
  NocTiming noc;
  noc.grid = reader.number(fields, "grid", "ps", 0, maxTime);
  noc.east = noc.west = readMeshPort(fields, "east_west", reader);
  noc.north = noc.south = readMeshPort(fields, "north_south", reader);
  noc.local = readLocalPort(fields, reader);
  return noc;
}

void readBarrierTable(const Node &node, BarrierTiming &barrier,
                      const RecordReader &section) {
  if (node.type != Node::Type::Sequence || node.items.empty())
    fail(node, "expected a list of {tiles, time} for 'table', found " +
                   (node.items.empty() ? "nothing in it" : node.found()));
  for (const Node &item : node.items) {
    Fields fields(item, "table", {"tiles", "time"});
    uint64_t tiles = readUnsigned(fields.at("tiles"), "tiles", 1, 1 << 20);
    if (barrier.table.empty() ? tiles != 1
                              : tiles <= barrier.table.back().first)
      fail(fields.at("tiles"),
           "the entries of 'table' start at 1 tile and rise");
    RecordReader reader = section.under(fmt::format("tiles_{}", tiles));
    barrier.table.emplace_back(tiles,
                               reader.number(fields, "time", "ps", 0, maxTime));
  }
}

BarrierTiming readBarrier(const Node &node, RecordReader reader) {
  Fields fields(node, "barrier", {}, {"formula", "table"});
  const Node *formula = fields.find("formula");
  const Node *table = fields.find("table");
  if ((formula != nullptr) == (table != nullptr))
    fail(node, "expected exactly one of 'formula' and 'table' in 'barrier'");
  BarrierTiming barrier;
  if (table) {
    barrier.form = BarrierTiming::Form::Table;
    readBarrierTable(*table, barrier, reader);
    return barrier;
  }
  Fields parts(*formula, "formula", {"base", "span", "over"});
  RecordReader form = reader.under("formula");
  barrier.base = form.number(parts, "base", "ps", 0, maxTime);
  barrier.span = form.number(parts, "span", "ps", 0, maxTime);
  barrier.over = form.number(parts, "over", "tiles", 1, 1 << 20);
  return barrier;
}

// The time of one instruction over 2^32 elements must fit 64 bits.
constexpr uint64_t maxCycle = 1000000; // ps
constexpr uint64_t maxCycles = 1000;

MicrocodeTiming readMicrocodeTiming(const Node &node, RecordReader reader) {
  Fields fields(node, "microcode", {"cycle", "issue", "cycles"});
  MicrocodeTiming timing;
  timing.cycle = reader.number(fields, "cycle", "ps", 0, maxCycle);
  timing.issue = reader.number(fields, "issue", "cycles", 0, maxCycles);
  std::vector<std::string> classes;
  for (size_t i = 0; i < kMicroClasses; ++i)
    classes.push_back(toString(static_cast<MicroClass>(i)));
  Fields cycles(fields.at("cycles"), "cycles", classes);
  RecordReader perClass = reader.under("cycles");
  for (size_t i = 0; i < kMicroClasses; ++i)
    timing.cycles[i] =
        perClass.number(cycles, classes[i], "cycles", 0, maxCycles);
  return timing;
}

} // namespace

TimingSet readTiming(const std::string &name, const Node &node,
                     const Sources &sources, bool microcode) {
  std::vector<std::string> keys = {"family",
                                   "update_inactive",
                                   "update_active",
                                   "spike_emit",
                                   "message_out",
                                   "message_in",
                                   "per_synapse",
                                   "per_word",
                                   "reset",
                                   "barrier",
                                   "noc"};
  if (microcode)
    keys.push_back("microcode");
  Fields fields(node, name, keys);
  TimingSet set;
  set.name = name;
  set.family = readText(fields.at("family"), "family");
  RecordReader reader(sources, set.records, "");
  auto time = [&](const Fields &section, const char *key) {
    return reader.number(section, key, "ps", 0, maxTime);
  };
  set.updateInactive = time(fields, "update_inactive");
  set.updateActive = time(fields, "update_active");
  set.spikeEmit = time(fields, "spike_emit");
  set.messageOut = time(fields, "message_out");
  set.messageIn = time(fields, "message_in");
  Fields lists(fields.at("per_synapse"), "per_synapse",
               {"dense", "sparse", "conv"});
  RecordReader perSynapse(sources, set.records, "per_synapse");
  set.perSynapse.dense = perSynapse.number(lists, "dense", "ps", 0, maxTime);
  set.perSynapse.sparse = perSynapse.number(lists, "sparse", "ps", 0, maxTime);
  set.perSynapse.conv = perSynapse.number(lists, "conv", "ps", 0, maxTime);
  set.perWord = time(fields, "per_word");
  set.reset = time(fields, "reset");
  set.barrier = readBarrier(fields.at("barrier"),
                            RecordReader(sources, set.records, "barrier"));
  set.noc =
      readNoc(fields.at("noc"), RecordReader(sources, set.records, "noc"));
  if (microcode)
    set.microcode =
        readMicrocodeTiming(fields.at("microcode"),
                            RecordReader(sources, set.records, "microcode"));

  // Values only: a better citation is not another run.
  std::string canonical = set.name + "\n";
  for (const Record &record : set.records)
    canonical += fmt::format("{}={}\n", record.name, record.value);
  set.hash = sha256(canonical);
  return set;
}

} // namespace yaml
} // namespace neurite
