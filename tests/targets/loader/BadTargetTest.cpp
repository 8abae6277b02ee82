// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/Target.cpp, targets/loader/read/SectionReader.cpp,
// targets/loader/yaml/Yaml.cpp.
// Chip files that are wrong in one place, and the place the message names.

#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

class BadTarget : public testing::Test {
protected:
  const std::string good = Target::load("tiny").yamlText;

  /// Replaces `from` by `to`; the message must stand at `to` (+ skip).
  void expect(const std::string &from, const std::string &to, size_t skip,
              const std::string &message) {
    std::string text = edit(good, from, to);
    EXPECT_EQ(parseTarget(text),
              "chip.yaml:" + place(text, to, skip) + ": " + message);
  }
};

TEST_F(BadTarget, GoodFileIsGood) { EXPECT_EQ(parseTarget(good), ""); }

TEST_F(BadTarget, Typo) {
  expect("compartments_per_core:", "compartment_per_core:", 0,
         "unknown key 'compartment_per_core' in 'limits', expected one of "
         "compartments_per_core, synapse_memory_words, in_axons, out_axons, "
         "max_delay, decay_profiles, threshold_profiles, synapse_formats, "
         "join_children, core_memory_bytes, fan_in, fan_out, "
         "out_axons_per_neuron, spikes_per_step, delayed_per_step, "
         "injections_per_step, injections_per_neuron, did you mean "
         "'compartments_per_core'?");
}

TEST_F(BadTarget, ForeignKeyHasNoSuggestion) {
  expect("  in_axons:", "  zzz: 1\n  in_axons:", 2,
         "unknown key 'zzz' in 'limits', expected one of "
         "compartments_per_core, synapse_memory_words, in_axons, out_axons, "
         "max_delay, decay_profiles, threshold_profiles, synapse_formats, "
         "join_children, core_memory_bytes, fan_in, fan_out, "
         "out_axons_per_neuron, spikes_per_step, delayed_per_step, "
         "injections_per_step, injections_per_neuron");
}

TEST_F(BadTarget, MissingKeyNamesItsMap) {
  std::string text =
      edit(good,
           "  in_axons: {value: 32, unit: entries, kind: assumed, "
           "source: dendrolith}\n",
           "");
  EXPECT_EQ(parseTarget(text),
            "chip.yaml:" + place(text, "  compartments_per_core", 2) +
                ": missing key 'in_axons' in 'limits'");
}

TEST_F(BadTarget, MissingSection) {
  std::string text = edit(good, "default_costs: round\n", "");
  EXPECT_EQ(parseTarget(text), "chip.yaml:" + place(text, "name: tiny") +
                                   ": missing key 'default_costs' in 'target'");
}

TEST_F(BadTarget, MissingUnit) {
  expect("in_axons: {value: 32, unit: entries,", "in_axons: {value: 32,", 10,
         "missing key 'unit' in 'in_axons'");
}

TEST_F(BadTarget, Negative) {
  expect("update_active: {value: 2000", "update_active: {value: -2000", 23,
         "'update_active' is negative (-2000), expected 0 to 1000000000000");
}

TEST_F(BadTarget, NotANumber) {
  expect("update_active: {value: 2000", "update_active: {value: .nan", 23,
         "'update_active' is .nan, expected a finite number");
}

TEST_F(BadTarget, Infinite) {
  expect("update_active: {value: 2000", "update_active: {value: -.Inf", 23,
         "'update_active' is -.Inf, expected a finite number");
}

TEST_F(BadTarget, TwoToTheSixtyFour) {
  expect("update_active: {value: 2000",
         "update_active: {value: 18446744073709551616", 23,
         "'update_active' is too large ('18446744073709551616'), expected 0 "
         "to 1000000000000");
}

TEST_F(BadTarget, TooLargeToSum) {
  expect("update_active: {value: 2000", "update_active: {value: 1000000000001",
         23,
         "'update_active' is too large ('1000000000001'), expected 0 to "
         "1000000000000");
}

TEST_F(BadTarget, ZeroCapacity) {
  expect("in_axons: {value: 32", "in_axons: {value: 0", 18,
         "'in_axons' is too small (0), expected 1 to 1000000000000000");
}

TEST_F(BadTarget, WrongTypes) {
  expect("in_axons: {value: 32", "in_axons: {value: many", 18,
         "expected a whole number for 'in_axons', found 'many'");
  expect("in_axons: {value: 32", "in_axons: {value: 3.5", 18,
         "expected a whole number for 'in_axons', found '3.5'");
  expect("in_axons: {value: 32", "in_axons: {value: \"32\"", 18,
         "expected a whole number for 'in_axons', found the text '32'");
  expect("in_axons: {value: 32", "in_axons: {value: [32]", 18,
         "expected a whole number for 'in_axons', found a list");
  expect("in_axons: {value: 32", "in_axons: {value: 0x20", 18,
         "expected a whole number for 'in_axons', found '0x20'");
  expect("multicast: {value: false", "multicast: {value: no", 19,
         "expected true or false for 'multicast', found 'no'");
  expect("name: tiny", "name: {}", 6,
         "expected a text for 'name', found a map");
}

TEST_F(BadTarget, BareNumberWithoutRecord) {
  expect("in_axons: {value: 32, unit: entries, kind: assumed, "
         "source: dendrolith}",
         "in_axons: 32", 10,
         "expected a record {value, unit, kind, source} for 'in_axons', found "
         "'32'");
}

TEST_F(BadTarget, WrongUnitKindOrSource) {
  expect("update_active: {value: 2000, unit: ps",
         "update_active: {value: 2000, unit: ns", 35,
         "expected one of ps for 'unit', found 'ns', did you mean 'ps'?");
  expect("in_axons: {value: 32, unit: entries, kind: assumed",
         "in_axons: {value: 32, unit: entries, kind: guessed", 43,
         "expected one of measured, fitted, pre-silicon, derived, scaled, "
         "inherited, assumed for 'kind', found 'guessed'");
  expect(
      "in_axons: {value: 32, unit: entries, kind: assumed, source: dendrolith",
      "in_axons: {value: 32, unit: entries, kind: assumed, source: nobody", 60,
      "expected one of dendrolith, loihi1 for 'source', found 'nobody'");
}

TEST_F(BadTarget, DuplicateKey) {
  std::string text = edit(good, "  in_axons:", "  max_delay: 3\n  in_axons:");
  std::string first = place(text, "  max_delay: 3");
  EXPECT_EQ(parseTarget(text),
            "chip.yaml:" + place(text, "  max_delay: {", 2) +
                ": duplicate key 'max_delay', first given in line " +
                first.substr(0, first.find(':')));
}

TEST_F(BadTarget, ContradictionsBetweenKeys) {
  const std::string text =
      edit(good, "graded: {value: false", "graded: {value: true");
  EXPECT_EQ(parseTarget(text), "chip.yaml:" +
                                   place(text.substr(0, text.find("\nhost:")),
                                         "  payload_bits: ", 16) +
                                   ": 'payload_bits' is 0 exactly when "
                                   "'graded' is false");
  expect("weight_exponent_max: {value: 7", "weight_exponent_max: {value: -7",
         21, "'weight_exponent_max' is below 'weight_exponent_min'");
  expect("[1, 2, 3, 4, 5, 6, 8]", "[1, 2, 3, 3, 5, 6, 8]", 10,
         "'weight_bit_codes' must rise, found 3 after 3");
  expect("[add, max, min,", "[add, max, max,", 11, "'joins' names 'max' twice");
  expect("default_timing: round", "default_timing: rond", 16,
         "expected one of round for 'default_timing', found 'rond', did you "
         "mean 'round'?");
}

TEST_F(BadTarget, WidthsHoldAWeight) {
  auto says = [&](const std::string &from, const std::string &to,
                  const std::string &message) {
    const std::string said = parseTarget(edit(good, from, to));
    EXPECT_NE(said.find(message), std::string::npos) << said;
  };
  says("decay_bits: {value: 12", "decay_bits: {value: 13",
       "'decay_bits' is too large ('13'), expected 1 to 12");
  says("[1, 2, 3, 4, 5, 6, 8]", "[1, 2, 3, 4, 5, 6]",
       "the widest of 'weight_bit_codes' is 6 bits, expected the 8 of "
       "'formats.weight_bits' or more; give both keys");
  says("input_bits: {value: 22", "input_bits: {value: 7",
       "'input_bits' is 7, expected the 8 of 'weight_bits' or more: a sum is "
       "no narrower than what is added");
}

TEST_F(BadTarget, HostWithoutPayloadHasNoSign) {
  size_t host = good.find("\nhost:");
  std::string text = good;
  text.replace(text.find("sign: {value: false", host), 19,
               "sign: {value: true");
  EXPECT_NE(parseTarget(text).find("'sign' needs a payload"),
            std::string::npos);
}

TEST_F(BadTarget, BarrierHasOneForm) {
  std::string text = edit(good, "      formula:",
                          "      table: []\n"
                          "      formula:");
  EXPECT_EQ(parseTarget(text),
            "chip.yaml:" + place(text, "      table: []", 6) +
                ": expected exactly one of fixed, formula, table, tree "
                "in 'barrier'");
  expect("over: {value: 3,", "over: {value: 0,", 14,
         "'over' is too small (0), expected 1 to 1048576");
}

TEST_F(BadTarget, TimeScaleOfACoreThatIsNotThere) {
  const std::string record =
      "{value: 1500, unit: permille, kind: assumed, source: dendrolith}";
  const std::string before = "    noc:\n";
  for (const char *core : {"core_16", "core_-1", "core_", "core_01", "tile_1"})
    expect(before,
           "    time_scale: {" + std::string(core) + ": " + record + "}\n" +
               before,
           17,
           std::string("expected core_0 to core_") +
               std::to_string(Target::load("tiny").numCores() - 1) +
               ", the cores of the mesh, in 'time_scale', found '" + core +
               "'");
  expect(before,
         "    time_scale: {core_1: {value: 0, unit: permille, kind: assumed, "
         "source: dendrolith}}\n" +
             before,
         33, "'core_1' is too small (0), expected 1 to 1000000");
}

TEST_F(BadTarget, BufferOfZeroAndNegativeTimes) {
  std::string local = good.substr(good.find("      local:"));
  auto expectLocal = [&](const std::string &from, const std::string &to,
                         size_t skip, const std::string &message) {
    std::string changed = edit(local, from, to);
    std::string text = good.substr(0, good.size() - local.size()) + changed;
    EXPECT_EQ(parseTarget(text).substr(0, 10), "chip.yaml:");
    std::string head =
        text.substr(0, text.find(changed) + changed.find(to) + skip);
    size_t line = 1 + size_t(std::count(head.begin(), head.end(), '\n'));
    EXPECT_EQ(parseTarget(text),
              "chip.yaml:" + std::to_string(line) + ":" +
                  std::to_string(head.size() - head.rfind('\n')) + ": " +
                  message);
  };
  expectLocal("buffer: {value: 4", "buffer: {value: 0", 16,
              "'buffer' is too small (0), expected 1 to 65536");
  expectLocal("inject: {value: 1500", "inject: {value: -1", 16,
              "'inject' is negative (-1), expected 0 to 1000000000000");
  expectLocal("interval: {value: 1000", "interval: {value: 1e3", 18,
              "expected a whole number for 'interval', found '1e3'");
}

TEST(BadYaml, NotYaml) {
  EXPECT_EQ(
      parseTarget(""),
      "chip.yaml:1:1: expected a map with the keys name, description, "
      "sources, mesh, limits, formats, spikes, host, engines, memory, "
      "scheduling, synapse_memory, timing, default_timing, default_costs for "
      "'target', found nothing");
  EXPECT_EQ(parseTarget("# only a comment\n").substr(0, 35),
            "chip.yaml:1:1: expected a map with ");
  EXPECT_EQ(parseTarget("just words").substr(0, 35),
            "chip.yaml:1:1: expected a map with ");
  EXPECT_EQ(parseTarget("name: [1, 2\nmesh: }").substr(0, 14),
            "chip.yaml:2:5:");
  EXPECT_EQ(parseTarget("name: \"open").substr(0, 12), "chip.yaml:1:");
  EXPECT_EQ(parseTarget(std::string("name: a\0b", 9)),
            "chip.yaml:1:1: the file holds NUL bytes, expected YAML text");
  EXPECT_EQ(parseTarget("a: 1\n---\nb: 2\n"),
            "chip.yaml:3:1: a second document starts here, expected one");
  EXPECT_EQ(parseTarget("? [a]\n: 1\n"),
            "chip.yaml:1:3: expected a word as key, found a list");
  EXPECT_EQ(parseTarget("name: !!str x\n"),
            "chip.yaml:1:7: a tag is not allowed here, write the value alone");
}

TEST(BadYaml, BombsAreRefusedEarly) {
  EXPECT_EQ(
      parseTarget("a: &a [x, x]\nb: [*a, *a]\n"),
      "chip.yaml:1:4: an anchor is not allowed here, write the value out");
  EXPECT_EQ(parseTarget(std::string(20, '[') + std::string(20, ']')),
            "chip.yaml:1:17: nested deeper than 16 levels");
  for (const char *opening :
       {"[", "{", "- ", "? ", "a: {", "!!x ", "'", "\""}) {
    std::string text;
    while (text.size() < 200000)
      text += opening;
    EXPECT_NE(parseTarget(text), "") << opening;
  }
  std::string wide = "[";
  for (int i = 0; i < 100000; ++i)
    wide += "1,";
  EXPECT_EQ(parseTarget(wide + "1]"),
            "chip.yaml:1:2002: more than 1000 members in one map or list");
  EXPECT_EQ(parseTarget(std::string(2 << 20, 'x')),
            "chip.yaml: the file has 2097152 bytes, expected at most 1048576");
}

} // namespace
