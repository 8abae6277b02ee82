// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/Target.cpp. Chips made from other chips: one changed number,
// or a file with a base.

#include "targets/loader/Describe.h"
#include "targets/loader/chip/Area.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/Sha256.h"
#include "tests/targets/Support.h"

#include <filesystem>
#include <fstream>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

namespace fs = std::filesystem;

std::string trySet(const char *name, const char *key, const char *value) {
  Target chip = Target::load(name);
  std::string before = chip.yamlText;
  std::string message = messageOf([&] { chip.set(key, value); });
  if (!message.empty()) {
    EXPECT_EQ(chip.yamlText, before);
  }
  // The place is that of the file; tests do not name where it lies.
  size_t at = message.find(chip.filename);
  return at == std::string::npos ? message
                                 : message.erase(at, chip.filename.size());
}

TEST(Set, ChangesOneNumberAndSaysSo) {
  Target chip = Target::load("loihi2"), before = chip;
  chip.set("mesh.tiles_x", "19");
  chip.set("mesh.tiles_y", "2");
  EXPECT_EQ(chip.numCores(), 152u);
  EXPECT_NE(chip.hash, before.hash);
  EXPECT_EQ(chip.hash, sha256(chip.yamlText));
  EXPECT_EQ(chip.timing().hash, before.timing().hash);
  const Record &changed = chip.records.front();
  EXPECT_EQ(changed.name, "mesh.tiles_x");
  EXPECT_EQ(changed.value, "19");
  EXPECT_EQ(changed.unit, "tiles");
  EXPECT_EQ(changed.kind, Provenance::Assumed);
  EXPECT_EQ(changed.source, "command line");
  // A program carries the text; it must say all of it.
  Target back = Target::parse(chip.yamlText, "program.dlp");
  EXPECT_EQ(back.numCores(), 152u);
  EXPECT_EQ(back.hash, chip.hash);
  EXPECT_EQ(describe(back), describe(chip));
  EXPECT_EQ(CostTable::loadBand(back).first.name, "lower");
}

TEST(Set, KeepsEveryOtherRecord) {
  for (const std::string &name : listTargets()) {
    Target chip = Target::load(name), before = chip;
    chip.set("mesh.flit_bits", "64");
    ASSERT_EQ(chip.records.size(), before.records.size());
    for (size_t i = 0; i < chip.records.size(); ++i) {
      const Record &a = chip.records[i], &b = before.records[i];
      EXPECT_EQ(a.name, b.name);
      if (a.name == "mesh.flit_bits")
        continue;
      EXPECT_EQ(a.value, b.value) << a.name;
      EXPECT_EQ(a.unit, b.unit) << a.name;
      EXPECT_EQ(a.source, b.source) << a.name;
      EXPECT_EQ(a.kind, b.kind) << a.name;
    }
    for (size_t i = 0; i < chip.timings.size(); ++i)
      EXPECT_EQ(chip.timings[i].hash, before.timings[i].hash);
    for (const auto &source : before.sources)
      EXPECT_EQ(std::count(chip.sources.begin(), chip.sources.end(), source), 1)
          << source.first;
  }
}

// What the names of records promise: each number of a set can be changed.
TEST(Set, ReachesEveryTime) {
  for (const char *name : {"ideal", "loihi2", "tiny"}) {
    Target chip = Target::load(name);
    const TimingSet set = chip.timing();
    for (const Record &record : set.records)
      chip.set("timing." + set.name + "." + record.name, "7");
    for (const Record &record : chip.timing().records)
      EXPECT_EQ(record.value, "7") << record.name;
    EXPECT_NE(chip.timing().hash, set.hash);
    EXPECT_EQ(chip.timing().barrier.over, 7u);
  }
}

/// The text that set() takes for what a record prints.
std::string asValue(std::string text) {
  if (text == "[]")
    return "none";
  if (text.front() == '[')
    text = text.substr(1, text.size() - 2);
  for (const auto &[from, to] : {std::pair{", ", "+"}, {" to ", ".."}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, std::string(from).size(), to);
  return text;
}

std::vector<Record> allRecords(const Target &chip) {
  std::vector<Record> all = chip.records;
  for (const auto *more : {&chip.boardRecords, &chip.physicalRecords})
    all.insert(all.end(), more->begin(), more->end());
  for (const TimingSet &set : chip.timings)
    for (Record record : set.records) {
      record.name = "timing." + set.name + "." + record.name;
      all.push_back(record);
    }
  return all;
}

// Every number of every chip, given back by the name and in the words that
// `targets` prints, leaves the chip as it is, to the letter.
TEST(Set, WhatIsPrintedChangesNothing) {
  size_t numbers = 0, lists = 0, bands = 0;
  for (const std::string &name : listTargets()) {
    const Target chip = Target::load(name);
    const std::string printed = describe(chip);
    std::string asPrinted, inOtherWords;
    for (const Record &record : allRecords(chip)) {
      EXPECT_NE(printed.find("\n  " + record.name + " "), std::string::npos)
          << record.name;
      asPrinted += "," + record.name + "=" + record.value;
      inOtherWords += "," + record.name + "=" + asValue(record.value);
      ++numbers;
      lists += record.value.front() == '[';
      bands += record.value.find(" to ") != std::string::npos;
    }
    for (const std::string &changes : {asPrinted, inOtherWords}) {
      const Target same = Target::load(name + changes);
      EXPECT_EQ(same.hash, chip.hash) << name;
      EXPECT_EQ(describe(same), printed) << name;
    }
  }
  EXPECT_GT(numbers, 1400u);
  EXPECT_GT(lists, 20u);
  EXPECT_GT(bands, 20u);
}

// A number that was another one in between is a change, and keeps its unit and
// the node that it holds at.
TEST(Set, KeepsWhatBelongsToANumber) {
  const Target chip = Target::load("loihi1");
  std::string value;
  for (const Record &record : chip.physicalRecords)
    if (record.name == "area.router_bit")
      value = record.value;
  const Target back =
      Target::load("loihi1,area.router_bit=1,area.router_bit=" + value);
  EXPECT_EQ(siliconOf(back, back.timing())->area.low,
            siliconOf(chip, chip.timing())->area.low);
  ASSERT_EQ(back.overrides.size(), 1u);
}

// Only what comes of all changes is checked, in whatever order they stand.
TEST(Set, ChangesGivenTogetherAreCheckedTogether) {
  for (const char *given :
       {"loihi1,formats.weight_shift=0,formats.weight_exponent_min=0",
        "loihi1,formats.weight_exponent_min=0,formats.weight_shift=0",
        "loihi1,spikes.graded=true,spikes.payload_bits=8",
        "loihi2,spikes.payload_bits=0,spikes.sign=false,spikes.graded=false",
        "loihi1,host.sign=true,host.payload_bits=8",
        "loihi1,voltage.supply=300,voltage.threshold=200",
        "ideal,engines.kinds=microcode,engines.joins=none",
        "ideal,engines.kinds=cuba"})
    EXPECT_EQ(messageOf([&] { Target::load(given); }), "") << given;
  EXPECT_EQ(Target::load("ideal,engines.kinds=cuba").engines.kinds,
            std::vector<std::string>{"cuba"});
  // Only what has a part in the fault is named.
  EXPECT_EQ(messageOf([&] {
              Target::load(
                  "loihi1,mesh.tiles_x=4,spikes.graded=true,clock=900");
            }).find("cannot set 'spikes.graded' to 'true': "),
            0u);
  EXPECT_EQ(messageOf([&] {
              Target::load("loihi1,voltage.supply=300,mesh.tiles_x=4,"
                           "voltage.threshold=400");
            })
                .find("cannot set 'voltage.supply' to '300' and "
                      "'voltage.threshold' to '400': "),
            0u);
}

TEST(Set, EntriesOfTablesAndBands) {
  Target chip = Target::load("loihi1,timing.silicon-fit-2025.barrier.tiles_4."
                             "time=5,area.efficiency=0.5..0.6");
  EXPECT_EQ(chip.timing("silicon-fit-2025").barrier.table[2].second, 5u);
  EXPECT_EQ(chip.area->efficiency.value.low, 0.5);
  EXPECT_EQ(chip.area->efficiency.value.high, 0.6);
  EXPECT_EQ(chip.overrides[1].was, "0.55 to 0.75");
  EXPECT_EQ(Target::load("loihi1,area.efficiency=0.5 to 0.6")
                .area->efficiency.value.high,
            0.6);
  for (const char *value : {"0.6..0.5", "..0.5", "0.5..", "0.5..0.6..0.7",
                            "0.5 to", "0.5 to 0.6 to 0.7"})
    EXPECT_NE(trySet("loihi1", "area.efficiency", value), "") << value;
  EXPECT_NE(trySet("loihi1", "mesh.tiles_x", "3..4"), "");
}

TEST(Set, SuggestsWhatIsNear) {
  const std::string none = "the target has no such number";
  EXPECT_EQ(trySet("loihi1", "timing.davies2018.phases", "1"),
            "cannot set 'timing.davies2018.phases' to '1': " + none);
  EXPECT_EQ(trySet("loihi1", "memory.instruction_bytes", "1"),
            "cannot set 'memory.instruction_bytes' to '1': " + none);
  EXPECT_EQ(trySet("loihi1", "memory.in_axon_byte", "1"),
            "cannot set 'memory.in_axon_byte' to '1': " + none +
                ", did you mean 'memory.in_axon_bytes'?");
}

TEST(Set, RecordsWhatWas) {
  Target chip = Target::load("tiny,mesh.tiles_x=3,limits.in_axons=unlimited,"
                             "mesh.tiles_x=4");
  ASSERT_EQ(chip.overrides.size(), 2u);
  EXPECT_EQ(chip.overrides[0].key, "mesh.tiles_x");
  EXPECT_EQ(chip.overrides[0].value, "4");
  EXPECT_EQ(chip.overrides[0].was, "2");
  EXPECT_EQ(chip.overrides[1].value, "unlimited");
  EXPECT_EQ(chip.overrides[1].was, "32");
  // Whoever reads the program's or the result's text knows it too.
  Target back = Target::parse(chip.yamlText, "program.dlp");
  ASSERT_EQ(back.overrides.size(), 2u);
  EXPECT_EQ(back.overrides[1].was, "32");
  EXPECT_NE(describe(back).find("changed: mesh.tiles_x=4 (was 2), "
                                "limits.in_axons=unlimited (was 32)\n"),
            std::string::npos)
      << describe(back);
}

TEST(Set, WordsOfLists) {
  Target chip = Target::load("tiny");
  chip.set("engines.joins", "add+max");
  EXPECT_EQ(chip.engines.joins, (std::vector<std::string>{"add", "max"}));
  chip.set("engines.joins", "none");
  EXPECT_TRUE(chip.engines.joins.empty());
  // As a chip prints them, alone and between other changes.
  EXPECT_EQ(
      Target::load("tiny,engines.joins=[add, max],clock=900").engines.joins,
      (std::vector<std::string>{"add", "max"}));
  EXPECT_TRUE(
      Target::load("tiny,clock=900,engines.joins=[]").engines.joins.empty());
  for (const char *value : {"[add", "add]", "[add,, max]", "[", "[add, ]"})
    EXPECT_NE(trySet("tiny", "engines.joins", value), "") << value;
  chip.set("synapse_memory.weight_bit_codes", "2+8");
  EXPECT_EQ(chip.synapses.weightBitCodes, (std::vector<uint64_t>{2, 8}));
  EXPECT_EQ(chip.overrides.back().value, "2+8");
  // An engine needs the sections that describe it.
  EXPECT_NE(trySet("tiny", "engines.kinds", "cuba+microcode")
                .find("missing key 'microcode'"),
            std::string::npos);
  EXPECT_NE(trySet("tiny", "engines.joins", "add+").find("found nothing"),
            std::string::npos)
      << trySet("tiny", "engines.joins", "add+");
}

TEST(Set, ReachesPrices) {
  Target chip = Target::load("loihi1");
  const CostTable before = CostTable::load("", chip);
  chip.set("costs.davies2018.hops_ew", "2");
  chip.set("costs.davies2018.synops.dense", "30");
  chip.set("costs.davies2018.spikes.unary", "5"); // out of a group
  chip.set("costs.davies2018.static", "unpriced");
  CostTable table = CostTable::load("", chip);
  EXPECT_EQ(table.find("hops_ew")->value, 2);
  EXPECT_EQ(table.find("hops_ew")->kind, Provenance::Assumed);
  EXPECT_EQ(table.find("hops_ew")->source, "command line");
  EXPECT_EQ(table.find("hops_ns")->value, 4);
  EXPECT_EQ(table.find("synops.dense")->value, 30);
  EXPECT_EQ(table.find("synops.dense")->bound, PriceBound::None);
  EXPECT_EQ(table.find("spikes.unary")->value, 5);
  EXPECT_EQ(table.find("spikes.binary")->inside, "neuron_updates_active");
  EXPECT_EQ(table.staticPower, std::nullopt);
  EXPECT_NE(table.hash, before.hash);
  // The other table is untouched, and a stored chip prices the same.
  EXPECT_EQ(CostTable::load("silicon-fit-2025", chip).hash,
            CostTable::load("silicon-fit-2025", Target::load("loihi1")).hash);
  Target back = Target::parse(chip.yamlText, "result.json");
  EXPECT_EQ(CostTable::load("", back).hash, table.hash);
  ASSERT_EQ(chip.overrides.size(), 4u);
  EXPECT_EQ(chip.overrides[0].was, "3.0");
  EXPECT_EQ(chip.overrides[2].was, "in neuron_updates_active");
  EXPECT_EQ(chip.overrides[3].was, "104");
}

TEST(Set, BadPrices) {
  EXPECT_EQ(trySet("loihi1", "costs.davies2018.hop_ew", "2"),
            "cannot set 'costs.davies2018.hop_ew' to '2': the cost table "
            "decides no such event, did you mean 'hops_ew'?");
  EXPECT_EQ(trySet("loihi1", "costs.davies.hops_ew", "2"),
            "cannot set 'costs.davies.hops_ew' to '2': expected "
            "costs.TABLE.EVENT with a table of the target: davies2018, "
            "silicon-fit-2025");
  for (const char *value : {"", "-1", "nan", "in synops", "1, kind: measured"})
    EXPECT_NE(trySet("loihi1", "costs.davies2018.hops_ew", value), "") << value;
  // What is said to be in it would be in nothing.
  EXPECT_NE(trySet("loihi1", "costs.davies2018.within_tile", "unpriced")
                .find("has no price of its own"),
            std::string::npos);
  // The low end of a band stays below the high one.
  EXPECT_NE(
      trySet("loihi2", "costs.lower.hops_ew", "1000000").find("the low end"),
      std::string::npos);
}

TEST(Set, TextSurvivesAnyCharacter) {
  const std::string citation = "a \\\"b\\\" \\\\ {c: [d, e]} # f\\n%& * !g";
  Target chip = Target::parse(
      edit(Target::load("tiny").yamlText,
           "dendrolith: made up, stands for no silicon",
           "dendrolith: \"" + citation + "\"\n" + "  \"k\\t: 1\": '- x'"),
      "t");
  auto sources = chip.sources;
  EXPECT_EQ(sources[0].second, "a \"b\" \\ {c: [d, e]} # f\n%& * !g");
  chip.set("mesh.flit_bits", "8");
  chip.set("mesh.flit_bits", "16");
  sources.emplace_back("command line", "changed on the command line");
  EXPECT_EQ(chip.sources, sources);
}

TEST(Set, LimitsComeAndGo) {
  Target tiny = Target::load("tiny");
  tiny.overrideLimit("out_axons");
  tiny.set("limits.in_axons", "unlimited");
  EXPECT_EQ(tiny.limits.inAxons, std::nullopt);
  tiny.set("limits.in_axons", "12");
  EXPECT_EQ(tiny.limits.inAxons, 12u);
  // A lifted limit stays lifted.
  EXPECT_EQ(tiny.limits.outAxons, std::nullopt);
  EXPECT_EQ(tiny.overriddenLimits, std::vector<std::string>{"out_axons"});
  Target ideal = Target::load("ideal");
  ideal.set("microcode.registers", "5");
  EXPECT_EQ(ideal.microcode.registers, 5u);
  ideal.set("mesh.multicast", "true");
  EXPECT_TRUE(ideal.mesh.multicast);
}

TEST(Set, BadKeysAndValues) {
  EXPECT_EQ(trySet("tiny", "mesh.tile_x", "3"),
            "cannot set 'mesh.tile_x' to '3': the target has no such number, "
            "did you mean 'mesh.tiles_x'?");
  EXPECT_EQ(trySet("tiny", "", "3"),
            "cannot set '' to '3': the target has no such number");
  EXPECT_EQ(trySet("tiny", "mesh", "3"),
            "cannot set 'mesh' to '3': the target has no such number");
  EXPECT_EQ(trySet("tiny", "name", "x"),
            "cannot set 'name' to 'x': the target has no such number");
  EXPECT_EQ(trySet("tiny", "mesh.tiles_x.value", "3"),
            "cannot set 'mesh.tiles_x.value' to '3': the target has no such "
            "number, did you mean 'mesh.tiles_x'?");
  EXPECT_EQ(trySet("tiny", "engines.kinds", "3"),
            "cannot set 'engines.kinds' to '3': :56:18: expected one of cuba, "
            "microcode for 'kinds', found '3'");
  EXPECT_EQ(trySet("tiny", "mesh.tiles_x", "0"),
            "cannot set 'mesh.tiles_x' to '0': :13:20: 'tiles_x' is too small "
            "(0), expected 1 to 1024");
  for (const char *value : {"", "-1", "2.5", "many", "1, kind: measured",
                            "1}\nname: x", "99999999999999999999", "nan"})
    EXPECT_NE(trySet("tiny", "mesh.tiles_x", value), "") << value;
  EXPECT_NE(trySet("tiny", "mesh.tiles_x", "unlimited"), "");
  EXPECT_NE(trySet("tiny", "microcode.lanes", "2"), "");
}

//===----------------------------------------------------------------------===//
// base
//===----------------------------------------------------------------------===//

TEST(Base, DiffersOnlyInWhatItSays) {
  Target whole = Target::load("loihi2"), binary = Target::load("loihi2-binary");
  ASSERT_EQ(whole.records.size(), binary.records.size());
  std::vector<std::string> differing;
  for (size_t i = 0; i < whole.records.size(); ++i)
    if (whole.records[i].value != binary.records[i].value)
      differing.push_back(binary.records[i].name);
  EXPECT_EQ(differing, (std::vector<std::string>{
                           "spikes.graded", "spikes.payload_bits",
                           "spikes.sign", "host.payload_bits", "host.sign"}));
  EXPECT_EQ(whole.timing().hash, binary.timing().hash);
  EXPECT_EQ(CostTable::loadBand(whole).second.hash,
            CostTable::loadBand(binary).second.hash);
}

TEST(Base, TextIsWhole) {
  Target binary = Target::load("loihi2-binary");
  EXPECT_EQ(binary.yamlText.find("\nbase:"), std::string::npos);
  EXPECT_EQ(binary.hash, sha256(binary.yamlText));
  Target back = Target::parse(binary.yamlText, "program.dlp");
  EXPECT_EQ(back.hash, binary.hash);
  EXPECT_EQ(describe(back), describe(binary));
  EXPECT_EQ(back.costsFrom, "loihi2");
  EXPECT_EQ(CostTable::loadBand(back).first.name, "lower");
}

TEST(Base, AnotherFormOfTheBarrierReplacesTheBases) {
  auto barrierOf = [](const std::string &form) {
    return Target::parse("base: tiny\nname: x\ndescription: d\ntiming:\n  "
                         "round:\n    barrier:\n      " +
                             form + "\n",
                         "chip.yaml")
        .timing("round")
        .barrier;
  };
  auto ps = [](const std::string &value) {
    return "{value: " + value +
           ", unit: ps, kind: assumed, source: dendrolith}";
  };
  EXPECT_EQ(barrierOf("fixed: {time: " + ps("5000") + "}").rule,
            BarrierTiming::Rule::Fixed);
  // The same rule still differs only in what it says.
  BarrierTiming formula = barrierOf("formula: {base: " + ps("7") + "}");
  EXPECT_EQ(formula.rule, BarrierTiming::Rule::Formula);
  EXPECT_EQ(formula.base, 7u);
  EXPECT_EQ(formula.span, 30000u);
}

TEST(Base, IsFoundBesideTheFile) {
  fs::path dir = fs::path(testing::TempDir()) / "dendrolith-targets-base";
  fs::create_directories(dir / "mine");
  fs::create_directories(dir / "more");
  std::ofstream(dir / "mine" / "chip.yaml")
      << edit(Target::load("tiny").yamlText, "tiles_x: {value: 2",
              "tiles_x: {value: 5");
  // Its default cost table is beside it.
  fs::copy_file(fs::path(Target::load("tiny").filename).parent_path() /
                    "costs-round.yaml",
                dir / "mine" / "costs-round.yaml",
                fs::copy_options::overwrite_existing);
  fs::path more = dir / "more" / "chip.yaml";
  std::ofstream(more) << "base: mine\nname: more\ndescription: d\n";
  EXPECT_EQ(Target::load(more.string()).mesh.tilesX, 5u);
  // The base's own mistakes are placed in its file.
  std::ofstream(dir / "mine" / "chip.yaml") << "name: [\n";
  EXPECT_NE(messageOf([&] { Target::load(more.string()); }).find("mine"),
            std::string::npos);
  fs::remove_all(dir);
}

TEST(Base, Mistakes) {
  const std::string head = "name: x\ndescription: d\n";
  EXPECT_EQ(parseTarget("base: tinny\n" + head),
            "chip.yaml:1:7: no target 'tinny' to build on, expected one of "
            "catalyst-n1, ideal, loihi1, loihi1-study, loihi2, loihi2-binary, "
            "morphic, netx, odin, ranc, spinnaker2, tiny, tinyodin, truenorth, "
            "did you "
            "mean 'tiny'?");
  EXPECT_EQ(parseTarget("base: ../tiny\n" + head)
                .find("chip.yaml:1:7: no target '../tiny'"),
            0u);
  EXPECT_EQ(parseTarget("base: {}\n" + head),
            "chip.yaml:1:7: expected a text for 'base', found a map");
  EXPECT_EQ(parseTarget("base: loihi2-binary\n" + head),
            "chip.yaml:1:7: target 'loihi2-binary' is itself built on a base, "
            "name that one");
  EXPECT_EQ(parseTarget("base: tiny\n"),
            "chip.yaml:1:1: missing key 'name' in 'target', a chip with a base "
            "still has its own");
  EXPECT_EQ(parseTarget("base: tiny\n" + head +
                        "mesh:\n  tile_x: {value: 1, unit: tiles, kind: "
                        "assumed, source: dendrolith}\n"),
            "chip.yaml:5:3: unknown key 'tile_x' in 'mesh', expected one of "
            "tiles_x, tiles_y, cores_per_tile, flit_bits, multicast, did you "
            "mean 'tiles_x'?");
  EXPECT_EQ(parseTarget("base: tiny\n" + head + "mesh: 3\n"),
            "chip.yaml:4:7: expected a map with the keys tiles_x, tiles_y, "
            "cores_per_tile, flit_bits, multicast for 'mesh', found '3'");
  EXPECT_EQ(parseTarget("base: tiny\n" + head), "");
}

} // namespace
