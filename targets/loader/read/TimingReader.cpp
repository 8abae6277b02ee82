// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/TimingReader.h"

#include "targets/support/Sha256.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::yaml {

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
                {"forward", "inject", "eject", "credit", "interval", "buffer"});
  PortTiming port;
  port.forward = reader.number(fields, "forward", "ps", 0, maxTime);
  port.inject = reader.number(fields, "inject", "ps", 0, maxTime);
  port.eject = reader.number(fields, "eject", "ps", 0, maxTime);
  port.credit = reader.number(fields, "credit", "ps", 0, maxTime);
  port.interval = reader.number(fields, "interval", "ps", 0, maxTime);
  port.buffer = reader.number(fields, "buffer", "flits", 1, 1 << 16);
  return port;
}

NocTiming readNoc(const Node &node, RecordReader reader) {
  Fields fields(node, "noc", {"grid", "east_west", "north_south", "local"},
                {"turn"});
  NocTiming noc;
  noc.grid = reader.number(fields, "grid", "ps", 0, maxTime);
  noc.east = noc.west = readMeshPort(fields, "east_west", reader);
  noc.north = noc.south = readMeshPort(fields, "north_south", reader);
  noc.local = readLocalPort(fields, reader);
  if (fields.find("turn"))
    noc.turn = reader.number(fields, "turn", "ps", 0, maxTime);
  return noc;
}

void readBarrierTable(const Node &node, const std::string &units,
                      BarrierTiming &barrier, const RecordReader &section) {
  if (node.type != Node::Type::Sequence || node.items.empty())
    fail(node, "expected a list of {" + units + ", time} for 'table', found " +
                   (node.items.empty() ? "nothing in it" : node.found()));
  for (const Node &item : node.items) {
    Fields fields(item, "table", {units, "time"});
    uint64_t upTo = readUnsigned(fields.at(units), units, 1, 1 << 20);
    if (barrier.table.empty() ? upTo != 1 : upTo <= barrier.table.back().first)
      fail(fields.at(units),
           fmt::format("the entries of 'table' start at 1 {} and rise",
                       units.substr(0, units.size() - 1)));
    RecordReader reader = section.under(fmt::format("{}_{}", units, upTo));
    barrier.table.emplace_back(upTo,
                               reader.number(fields, "time", "ps", 0, maxTime));
  }
}

} // namespace

BarrierTiming readBarrier(const Node &node, RecordReader reader,
                          const std::string &units, const std::string &key) {
  using Rule = BarrierTiming::Rule;
  Fields fields(node, key, {}, {"fixed", "formula", "table", "tree"});
  if (node.keys.size() != 1)
    fail(node, "expected exactly one of fixed, formula, table, tree in '" +
                   key + "'");
  const std::string &form = node.keys.front().text;
  const Node &inside = node.items.front();
  BarrierTiming barrier;
  if (form == "table") {
    barrier.rule = Rule::Table;
    readBarrierTable(inside, units, barrier, reader);
    return barrier;
  }
  RecordReader section = reader.under(form);
  auto numbers = [&](Rule rule, const std::vector<std::string> &keys) {
    barrier.rule = rule;
    return Fields(inside, form, keys);
  };
  if (form == "formula") {
    Fields parts = numbers(Rule::Formula, {"base", "span", "over"});
    barrier.base = section.number(parts, "base", "ps", 0, maxTime);
    barrier.span = section.number(parts, "span", "ps", 0, maxTime);
    barrier.over = section.number(parts, "over", units, 1, 1 << 20);
  } else if (form == "tree") {
    Fields parts = numbers(Rule::Tree, {"base", "level", "arity"});
    barrier.base = section.number(parts, "base", "ps", 0, maxTime);
    barrier.level = section.number(parts, "level", "ps", 0, maxTime);
    barrier.arity = section.number(parts, "arity", units, 2, 1 << 20);
  } else {
    Fields parts = numbers(Rule::Fixed, {"time"});
    barrier.base = section.number(parts, "time", "ps", 0, maxTime);
  }
  return barrier;
}

namespace {

/// `core_<id>: {value: N, unit: permille, ...}` for each core that differs.
std::map<uint64_t, uint64_t>
readTimeScale(const Node &node, RecordReader reader, uint64_t numCores) {
  std::vector<std::string> keys;
  for (const Node &key : node.keys)
    keys.push_back(key.text);
  Fields fields(node, "time_scale", keys);
  std::map<uint64_t, uint64_t> scales;
  for (size_t i = 0; i < keys.size(); ++i) {
    static const std::string prefix = "core_";
    const std::string id =
        keys[i].substr(std::min(prefix.size(), keys[i].size()));
    bool isNumber = !id.empty() && id.size() < 10 &&
                    id.find_first_not_of("0123456789") == std::string::npos &&
                    (id == "0" || id[0] != '0');
    if (keys[i] != prefix + id || !isNumber || std::stoull(id) >= numCores)
      fail(node.keys[i],
           fmt::format("expected core_0 to core_{}, the cores of the mesh, in "
                       "'time_scale', found '{}'",
                       numCores - 1, keys[i]));
    scales[std::stoull(id)] =
        reader.number(fields, keys[i], "permille", 1, 1000000);
  }
  return scales;
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

static SequencerTiming readSequencer(const Node &node, RecordReader reader) {
  Fields fields(node, "sequencer",
                {"per_core", "per_spike", "idle", "busy", "per_entry"});
  auto time = [&](const char *key) {
    return reader.number(fields, key, "ps", 0, maxTime);
  };
  SequencerTiming sequencer;
  sequencer.perCore = time("per_core");
  sequencer.perSpike = time("per_spike");
  sequencer.idle = time("idle");
  sequencer.busy = time("busy");
  sequencer.perEntry = time("per_entry");
  return sequencer;
}

std::optional<SerialPhases> readPhases(const Node &node, RecordReader reader) {
  if (node.type == Node::Type::Scalar) {
    if (node.text != "overlapped")
      fail(node, "expected the word 'overlapped' or a map 'serial' for "
                 "'phases', found " +
                     node.found());
    return std::nullopt;
  }
  Fields forms(node, "phases", {"serial"});
  RecordReader section = reader.under("serial");
  Fields fields(forms.at("serial"), "serial",
                {"all_slots", "host_lists", "per_spike", "per_due"},
                {"sequencer"});
  SerialPhases phases;
  phases.allSlots = section.flag(fields, "all_slots");
  phases.hostLists = section.flag(fields, "host_lists");
  phases.perSpike = section.number(fields, "per_spike", "ps", 0, maxTime);
  phases.perDue = section.number(fields, "per_due", "ps", 0, maxTime);
  if (const Node *sequencer = fields.find("sequencer"))
    phases.sequencer = readSequencer(*sequencer, section.under("sequencer"));
  return phases;
}

TimingSet readTiming(const std::string &name, const Node &node,
                     const Sources &sources, bool microcode,
                     uint64_t numCores) {
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
  Fields fields(node, name, keys,
                {"first_entry", "host_message", "management", "phases", "tick",
                 "time_scale"});
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
  if (fields.find("host_message"))
    set.hostMessage = time(fields, "host_message");
  auto perList = [&](const Node &lists, const char *key) {
    Fields kinds(lists, key, {"dense", "sparse", "conv"}, {"uniform"});
    RecordReader section(sources, set.records, key);
    TimingSet::PerSynapse times;
    times.dense = section.number(kinds, "dense", "ps", 0, maxTime);
    times.sparse = section.number(kinds, "sparse", "ps", 0, maxTime);
    times.conv = section.number(kinds, "conv", "ps", 0, maxTime);
    if (kinds.find("uniform"))
      times.uniform = section.number(kinds, "uniform", "ps", 0, maxTime);
    return times;
  };
  set.perSynapse = perList(fields.at("per_synapse"), "per_synapse");
  if (const Node *first = fields.find("first_entry"))
    set.firstEntry = perList(*first, "first_entry");
  set.perWord = time(fields, "per_word");
  set.reset = time(fields, "reset");
  if (fields.find("tick"))
    set.tick = time(fields, "tick");
  set.barrier =
      readBarrier(fields.at("barrier"),
                  RecordReader(sources, set.records, "barrier"), "tiles");
  if (const Node *management = fields.find("management"))
    set.management = readBarrier(
        *management, RecordReader(sources, set.records, "management"), "tiles",
        "management");
  set.noc =
      readNoc(fields.at("noc"), RecordReader(sources, set.records, "noc"));
  if (microcode)
    set.microcode =
        readMicrocodeTiming(fields.at("microcode"),
                            RecordReader(sources, set.records, "microcode"));

  if (const Node *phases = fields.find("phases"))
    set.serial =
        readPhases(*phases, RecordReader(sources, set.records, "phases"));

  if (const Node *scale = fields.find("time_scale"))
    set.timeScale = readTimeScale(
        *scale, RecordReader(sources, set.records, "time_scale"), numCores);

  // Values only: a better citation is not another run.
  std::string canonical = set.name + "\n";
  for (const Record &record : set.records)
    canonical += fmt::format("{}={}\n", record.name, record.value);
  set.hash = sha256(canonical);
  return set;
}

} // namespace dendrolith::yaml
