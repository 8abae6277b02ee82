// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/ChipReader.h"

#include "targets/loader/files/Override.h"
#include "targets/loader/read/AreaReader.h"
#include "targets/loader/read/SectionReader.h"
#include "targets/loader/read/TimingReader.h"
#include "targets/support/Sha256.h"

#include <fmt/format.h>

namespace dendrolith::yaml {

/// `default_costs`: one name, or the two ends of a band.
static void readDefaultCosts(const Node &node, Chip &t) {
  if (node.type != Node::Type::Map) {
    t.defaultCosts = readText(node, "default_costs");
    return;
  }
  Fields fields(node, "default_costs", {"low", "high"});
  t.costBand.emplace(readText(fields.at("low"), "low"),
                     readText(fields.at("high"), "high"));
  if (t.costBand->first == t.costBand->second)
    fail(fields.at("high"), fmt::format("both ends of the band are '{}', "
                                        "expected two cost tables",
                                        t.costBand->first));
}

/// The section `microcode` stands exactly where the engine does.
static void checkMicrocode(const Fields &fields, const Engines &engines) {
  const Node *section = fields.find("microcode");
  if (engines.has("microcode") && !section)
    fail(fields.node(), "missing key 'microcode' in 'target', whose engines "
                        "include 'microcode'");
  if (!engines.has("microcode") && section)
    fail(*section, "'microcode' describes an engine that is not in "
                   "'engines.kinds'");
}

/// What is stored and what is summed up has room for a weight.
static void checkWidths(const Fields &fields, const Chip &t) {
  const uint64_t weight = t.formats.weightBits,
                 stored = t.synapses.weightBitCodes.back();
  if (stored < weight)
    fail(fields.at("synapse_memory"),
         fmt::format("the widest of 'weight_bit_codes' is {} bits, expected "
                     "the {} of 'formats.weight_bits' or more; give both keys",
                     stored, weight));
  if (t.formats.inputBits < weight)
    fail(fields.at("formats"),
         fmt::format("'input_bits' is {}, expected the {} of 'weight_bits' or "
                     "more: a sum is no narrower than what is added",
                     t.formats.inputBits, weight));
}

/// Reads what silicon the chip is made of, and how fast it is run.
static void readPhysics(const Fields &fields, Chip &t) {
  auto section = [&](const char *key) {
    return RecordReader(t.sources, t.physicalRecords, key);
  };
  if (const Node *area = fields.find("area"))
    t.area = readArea(*area, section("area"));
  if (const Node *leakage = fields.find("leakage"))
    t.leakage = readLeakage(*leakage, section("leakage"));
  if (fields.find("clock"))
    t.clock = section("").number(fields, "clock", "permille", 1, 1000000);
  if (const Node *voltage = fields.find("voltage"))
    t.voltage = readVoltage(*voltage, section("voltage"));
  const double chip = t.voltage ? t.voltage->speed() : 1;
  if (t.clock == 1000 && chip == 1)
    return;
  for (TimingSet &set : t.timings) {
    if (set.hasten(chip * double(t.clock) / 1000, chip) > double(maxTime))
      fail(fields.node(), fmt::format("'clock' and 'voltage' make a time of "
                                      "'{}' longer than {} ps",
                                      set.name, maxTime));
    set.hash = sha256(fmt::format("{} {} {}", set.hash, t.clock, chip));
  }
}

Chip readChip(const Node &root, const std::string &text,
              const std::string &filename) {
  Fields fields(root, "target",
                {"name", "description", "sources", "mesh", "limits", "formats",
                 "spikes", "host", "engines", "memory", "scheduling",
                 "synapse_memory", "timing", "default_timing", "default_costs"},
                {"board", "microcode", "loader", "area", "leakage", "clock",
                 "voltage", "costs_from", "overrides"});
  Chip t;
  t.yamlText = text;
  t.hash = sha256(text);
  t.filename = filename;
  t.name = readText(fields.at("name"), "name");
  t.description = readText(fields.at("description"), "description");
  t.sources = readSources(fields.at("sources"));
  auto section = [&](const char *key) {
    return RecordReader(t.sources, t.records, key);
  };
  t.mesh = readMesh(fields.at("mesh"), section("mesh"));
  Board board;
  if (const Node *chips = fields.find("board")) {
    board = readBoard(*chips, {t.sources, t.boardRecords, "board"});
    putTogether(*chips, board, t.mesh);
  }
  t.limits = readLimits(fields.at("limits"), section("limits"));
  t.formats = readFormats(fields.at("formats"), section("formats"));
  t.spikes = readSpikes(fields.at("spikes"), section("spikes"));
  t.host = readHost(fields.at("host"), section("host"));
  t.engines = readEngines(fields.at("engines"), section("engines"));
  checkMicrocode(fields, t.engines);
  bool microcode = t.engines.has("microcode");
  if (microcode)
    t.microcode = readMicrocode(fields.at("microcode"), section("microcode"));
  t.memory = readMemory(fields.at("memory"), section("memory"), microcode);
  t.scheduling =
      readScheduling(fields.at("scheduling"), section("scheduling"), t.records);
  t.synapses =
      readSynapseFormat(fields.at("synapse_memory"), section("synapse_memory"));
  if (const Node *loader = fields.find("loader"))
    readLoader(*loader, section("loader"));
  checkWidths(fields, t);

  const Node &timing = fields.at("timing");
  if (timing.type != Node::Type::Map || timing.items.empty())
    fail(timing,
         "expected a map from names to timing sets for 'timing', found " +
             (timing.items.empty() ? "nothing in it" : timing.found()));
  std::vector<std::string> names;
  for (size_t i = 0; i < timing.items.size(); ++i) {
    names.push_back(timing.keys[i].text);
    t.timings.push_back(readTiming(names.back(), timing.items[i], t.sources,
                                   microcode, t.numCores()));
    if (t.timings.back().serial && t.timings.back().serial->allSlots &&
        !t.limits.compartmentsPerCore)
      fail(timing.items[i],
           "expected a number for 'limits.compartments_per_core' in a chip "
           "whose cores visit all slots, found 'unlimited'");
  }
  t.defaultTiming =
      readWord(fields.at("default_timing"), "default_timing", names);
  readPhysics(fields, t);
  for (TimingSet &set : t.timings)
    addTimes(board, set);
  readDefaultCosts(fields.at("default_costs"), t);
  if (const Node *from = fields.find("costs_from"))
    t.costsFrom = readText(*from, "costs_from");
  if (const Node *changes = fields.find("overrides"))
    t.overrides = readOverrides(*changes);
  return t;
}

namespace {

// As for one chip: what the mesh of the cycle engine can hold.
constexpr uint64_t maxChips = 1 << 10;      // in a row or column
constexpr uint64_t maxBoardCores = 1 << 20; // of all chips
constexpr uint64_t maxTiles = 1 << 15;      // in a row or column
constexpr uint64_t maxPhits = 1 << 10;
constexpr uint64_t maxInterval = 1000000000; // ps, so that all phits fit

} // namespace

/// A link narrower than a flit sends it in `phits` parts, one per `interval`.
/// The flit has arrived when the last part has, and the next one follows then.
static PortTiming readLink(const Node &node, RecordReader reader) {
  Fields fields(node, "link",
                {"forward", "credit", "interval", "phits", "buffer"});
  PortTiming link;
  link.forward = reader.number(fields, "forward", "ps", 1, maxTime);
  link.credit = reader.number(fields, "credit", "ps", 1, maxTime);
  const uint64_t interval =
      reader.number(fields, "interval", "ps", 1, maxInterval);
  const uint64_t phits = reader.number(fields, "phits", "phits", 1, maxPhits);
  link.forward += (phits - 1) * interval;
  link.interval = phits * interval;
  link.buffer = reader.number(fields, "buffer", "flits", 1, 1 << 16);
  return link;
}

Board readBoard(const Node &node, RecordReader reader) {
  Fields fields(node, "board", {"chips_x", "chips_y", "link", "barrier"});
  Board board;
  board.chipsX = reader.number(fields, "chips_x", "chips", 1, maxChips);
  board.chipsY = reader.number(fields, "chips_y", "chips", 1, maxChips);
  board.link = readLink(fields.at("link"), reader.under("link"));
  board.barrier =
      readBarrier(fields.at("barrier"), reader.under("barrier"), "chips");
  return board;
}

void putTogether(const Node &node, const Board &board, Mesh &mesh) {
  mesh.tilesX *= board.chipsX;
  mesh.tilesY *= board.chipsY;
  mesh.chipsX = board.chipsX;
  mesh.chipsY = board.chipsY;
  if (mesh.chips() == 1)
    return;
  const uint64_t cores = mesh.tiles() * mesh.coresPerTile;
  if (cores > maxBoardCores || mesh.tilesX > maxTiles || mesh.tilesY > maxTiles)
    fail(node, fmt::format("the board has {} by {} chips with {} cores and {} "
                           "by {} tiles in all, expected at most {} cores and "
                           "{} tiles in a row or column",
                           mesh.chipsX, mesh.chipsY, cores, mesh.tilesX,
                           mesh.tilesY, maxBoardCores, maxTiles));
}

void addTimes(const Board &board, TimingSet &set) {
  if (board.chipsX * board.chipsY == 1)
    return;
  const PortTiming &link = board.link;
  const BarrierTiming &barrier = board.barrier;
  set.noc.crossing = link;
  set.board = barrier;
  std::string text =
      fmt::format("{} board {} {} {} {} {} {} {} {} {}", set.hash, link.forward,
                  link.credit, link.interval, link.buffer, int(barrier.rule),
                  barrier.base, barrier.span, barrier.over, barrier.level) +
      fmt::format(" {}", barrier.arity);
  for (const auto &[chips, time] : barrier.table)
    text += fmt::format(" {}:{}", chips, time);
  set.hash = sha256(text);
}

} // namespace dendrolith::yaml
