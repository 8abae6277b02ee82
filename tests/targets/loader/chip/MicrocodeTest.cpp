// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips with programmable neurons: what a file must say about them, and what
// is refused.

#include "targets/loader/Describe.h"
#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

class Microcode : public testing::Test {
protected:
  const std::string good = Target::load("loihi2").yamlText;

  /// Replaces `from` by `to`; the message must stand at `to` (+ skip).
  void expect(const std::string &from, const std::string &to, size_t skip,
              const std::string &message) {
    std::string text = edit(good, from, to);
    EXPECT_EQ(parseTarget(text),
              "chip.yaml:" + place(text, to, skip) + ": " + message);
  }

  /// The text without the lines from the one that starts with `first` up to,
  /// not including, the one that starts with `last`.
  static std::string without(std::string text, const std::string &first,
                             const std::string &last) {
    size_t from = text.find("\n" + first), to = text.find("\n" + last, from);
    EXPECT_NE(from, std::string::npos) << first;
    EXPECT_NE(to, std::string::npos) << last;
    return text.erase(from, to - from);
  }
};

TEST_F(Microcode, Loihi2) {
  Target chip = Target::parse(good, "chip.yaml");
  EXPECT_EQ(chip.numCores(), 128u);
  EXPECT_FALSE(chip.engines.has("cuba"));
  EXPECT_TRUE(chip.engines.has("microcode"));
  EXPECT_EQ(chip.limits.compartmentsPerCore, 8192u);
  EXPECT_EQ(chip.limits.coreMemoryBytes, 192u * 1024);
  EXPECT_EQ(chip.limits.synapseMemoryWords, std::nullopt);
  EXPECT_EQ(chip.microcode.stateBytes, 4096u);
  EXPECT_TRUE(chip.spikes.graded && chip.spikes.sign);
  EXPECT_EQ(chip.spikes.payloadBits, 32u);
  EXPECT_EQ(chip.scheduling.gatingKind, Provenance::Assumed);
  EXPECT_GT(chip.memory.inAxonBytes, 0u);
  EXPECT_GT(chip.memory.outAxonBytes, 0u);
  EXPECT_GT(chip.memory.instructionBytes, 0u);
  for (size_t op = 0; op < kMicroOps; ++op)
    EXPECT_TRUE(chip.microcode.ops[op]) << toString(static_cast<MicroOp>(op));
}

// Loihi 1 divided by the ratios of the brief: update 2, synapse 5, step below
// 200 ns.
TEST_F(Microcode, Loihi2TimesAreScaledFromLoihi1) {
  TimingSet one = Target::load("loihi1").timing("davies2018");
  TimingSet two = Target::load("loihi2").timing();
  EXPECT_EQ(two.updateInactive, one.updateInactive / 2);
  EXPECT_EQ(two.perSynapse.dense, one.perSynapse.dense / 5);
  EXPECT_EQ(two.barrier.time(32), 200000u);
  EXPECT_EQ(two.barrier.time(1), one.barrier.time(1) * 200 / 465);
  // A CUBA update (README.md): seven instructions of a cycle each beside
  // their issue, six loads, two stores. It takes half of Loihi 1's.
  auto cycles = [&](MicroClass kind) {
    return two.microcode.cycles[static_cast<size_t>(kind)];
  };
  uint64_t program = 7 * two.microcode.issue + 6 * cycles(MicroClass::Load) +
                     2 * cycles(MicroClass::Store) +
                     2 * cycles(MicroClass::Multiply) +
                     2 * cycles(MicroClass::Add) + cycles(MicroClass::Compare) +
                     cycles(MicroClass::Select) + cycles(MicroClass::Emit);
  EXPECT_NEAR(double(two.updateActive + program * two.microcode.cycle),
              double(one.updateActive) / 2, double(two.microcode.cycle));
}

TEST_F(Microcode, IdealHasBothEnginesAndNoLimits) {
  Target ideal = Target::load("ideal");
  EXPECT_TRUE(ideal.engines.has("cuba") && ideal.engines.has("microcode"));
  EXPECT_EQ(ideal.microcode.wordBits, 64u);
  EXPECT_EQ(ideal.microcode.registers, std::nullopt);
  EXPECT_EQ(ideal.microcode.programWords, std::nullopt);
  EXPECT_EQ(ideal.microcode.stateBytes, std::nullopt);
  EXPECT_EQ(ideal.limits.coreMemoryBytes, std::nullopt);
  EXPECT_EQ(ideal.timing().microcode.cycle, 0u);
  for (size_t op = 0; op < kMicroOps; ++op)
    EXPECT_TRUE(ideal.microcode.ops[op]) << toString(static_cast<MicroOp>(op));
}

TEST_F(Microcode, FixedFunctionChipsHaveNone) {
  for (const char *name : {"loihi1", "tiny"}) {
    Target chip = Target::load(name);
    for (bool op : chip.microcode.ops)
      EXPECT_FALSE(op);
    EXPECT_EQ(chip.memory.instructionBytes, 0u);
    EXPECT_EQ(messageOf([&] { chip.overrideLimit("registers"); })
                  .find(std::string("target '") + name +
                        "' has no limit 'registers', expected one of "),
              0u);
  }
}

TEST_F(Microcode, SectionStandsWithTheEngineOnly) {
  std::string text = without(good, "microcode:", "memory:");
  EXPECT_EQ(parseTarget(text),
            "chip.yaml:" + place(text, "name: loihi2\n") +
                ": missing key 'microcode' in 'target', whose engines include "
                "'microcode'");
  text = edit(good, "kinds: {value: [microcode]", "kinds: {value: [cuba]");
  EXPECT_EQ(parseTarget(text), "chip.yaml:" + place(text, "  lanes:", 2) +
                                   ": 'microcode' describes an engine that is "
                                   "not in 'engines.kinds'");
}

TEST_F(Microcode, UnknownAndRepeatedOps) {
  expect("[move, add, sub,", "[move, ad, sub,", 7,
         "expected one of move, add, sub, mul, neg, abs, min, max, clamp, cmp, "
         "sel, scale, shift, clz, table, dot, matvec, vecmat, outer, sum, "
         "maximum, topk, ladder, skip, emit for 'ops', found 'ad', did you "
         "mean 'add'?");
  expect("[move, add, sub,", "[move, add, add,", 12, "'ops' names 'add' twice");
  expect("  lanes:", "  lane:", 2,
         "unknown key 'lane' in 'microcode', expected one of lanes, word_bits, "
         "registers, program_words, state_bytes, ops, did you mean 'lanes'?");
  expect("lanes: {value: 1,", "lanes: {value: 0,", 15,
         "'lanes' is too small (0), expected 1 to 65536");
  expect("word_bits: {value: 64, unit: bits, kind: assumed",
         "word_bits: {value: 65, unit: bits, kind: assumed", 19,
         "'word_bits' is too large ('65'), expected 8 to 64");
}

TEST_F(Microcode, EveryClassHasItsCycles) {
  std::string text = without(good, "        mac:", "        shift:");
  EXPECT_EQ(parseTarget(text), "chip.yaml:" + place(text, "        load:", 8) +
                                   ": missing key 'mac' in 'cycles'");
  text = good.substr(0, good.find("\n    microcode:") + 1);
  EXPECT_EQ(parseTarget(text), "chip.yaml:" + place(text, "    family:", 4) +
                                   ": missing key 'microcode' in 'scaled'");
}

TEST_F(Microcode, MemoryOfACore) {
  std::string text = without(good, "  instruction_bytes:", "\n");
  EXPECT_EQ(parseTarget(text),
            "chip.yaml:" + place(text, "  in_axon_bytes:", 2) +
                ": missing key 'instruction_bytes' in 'memory'");
  expect("core_memory_bytes: {value: 196608", "core_memory_bytes: {value: 0",
         27,
         "'core_memory_bytes' is too small (0), expected 1 to "
         "1000000000000000");
  std::string tiny = Target::load("tiny").yamlText;
  text = edit(tiny, "memory:\n  in_axon_bytes",
              "memory:\n  instruction_bytes: 8\n  in_axon_bytes");
  EXPECT_EQ(parseTarget(text),
            "chip.yaml:" + place(text, "instruction_bytes") +
                ": unknown key 'instruction_bytes' in 'memory', expected one "
                "of in_axon_bytes, out_axon_bytes");
}

TEST_F(Microcode, JoinsNeedTheFixedFunctionEngine) {
  expect("joins: {value: []", "joins: {value: [add]", 7,
         "'joins' belong to the engine 'cuba', which is not in 'kinds', "
         "expected an empty list");
}

TEST_F(Microcode, LimitsCanBeLifted) {
  Target chip = Target::load("loihi2");
  for (const char *limit :
       {"core_memory_bytes", "registers", "program_words", "state_bytes"})
    chip.overrideLimit(limit);
  EXPECT_EQ(chip.limits.coreMemoryBytes, std::nullopt);
  EXPECT_EQ(chip.microcode.registers, std::nullopt);
  EXPECT_EQ(chip.microcode.programWords, std::nullopt);
  EXPECT_EQ(chip.microcode.stateBytes, std::nullopt);
  chip.overrideLimit("in_axons"); // the chip has no such limit
  EXPECT_EQ(chip.overriddenLimits.size(), 4u);
  std::string text = describe(chip);
  EXPECT_NE(text.find("brief2021 (lifted by request)"), std::string::npos);
  EXPECT_NE(text.find("      ladder, skip, emit]\n"), std::string::npos);
  EXPECT_NE(text.find("microcode.cycles.table"), std::string::npos);
}

TEST_F(Microcode, CyclesArePartOfTheTimingHash) {
  Target slower = Target::parse(edit(good, "mac: {value: 1", "mac: {value: 2"),
                                "chip.yaml");
  EXPECT_NE(slower.timing().hash, Target::load("loihi2").timing().hash);
}

} // namespace
