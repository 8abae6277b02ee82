// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs instruction by instruction, where values live, and what a target
// refuses.

#include "runtime/microcode/Disassemble.h"
#include "tests/compiler/lowering/Body.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

const std::string kV = "!dend.fx<24, 0>";

/// v' = keep v / 2^12 + I, 24 bits; a spike above theta sets v to 0.
const std::string kLif =
    "dend.neuron @lif ports(%I : !dend.fx<24, 0>) params(%keep : "
    "!dend.fx<16, -12>, %theta : !dend.fx<24, 0> per_neuron) states(%v : "
    "!dend.fx<24, 0> reset sample) outputs(s : !dend.spike<binary>) {\n"
    "  %p = dend.mul %v, %keep : (!dend.fx<24, 0>, !dend.fx<16, -12>) -> "
    "!dend.fx<40, -12>\n"
    "  %q = dend.rescale %p round floor overflow wrap : (!dend.fx<40, -12>) -> "
    "!dend.fx<24, 0>\n"
    "  %v1 = dend.add %q, %I : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> "
    "!dend.fx<24, 0>\n"
    "  %s, %v2 = dend.fire %v1, %theta reset value : (!dend.fx<24, 0>, "
    "!dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)\n"
    "  dend.yield states(%v2 : !dend.fx<24, 0>) emit(%s : i1)\n}";

TEST(LowerBody, LifTakesFiveInstructions) {
  Body body(kLif);
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.ops(), "mul add cmp sel emit");
  EXPECT_EQ(body.program.registers(), 2u);
  // The reset potential goes straight into the state.
  EXPECT_EQ(body.code[3].d.space, micro::Space::State);
  std::string text = micro::disassemble(body.program, "program");
  EXPECT_NE(text.find("mul     r0 = state.v * param.keep >> 12 floor, 24 bits"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("add     r1 = r0 + port.I, 24 bits"), std::string::npos)
      << text;
  EXPECT_NE(text.find("sel     state.v = r0 ? 0 : r1"), std::string::npos)
      << text;
  EXPECT_NE(text.find("4 load 1 store 1 add 1 multiply 1 compare 1 select 1 "
                      "emit"),
            std::string::npos)
      << text;
}

TEST(LowerBody, TheSameBodyGivesTheSameBytes) {
  EXPECT_EQ(Body(kLif).program.SerializeAsString(),
            Body(kLif).program.SerializeAsString());
}

TEST(LowerBody, StatesThatChangePlacesAreCopiedFirst) {
  Body body("dend.neuron @swap ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample, %b : " + kV +
            " reset sample) {\n dend.yield states(%b, %a : " + kV + ", " + kV +
            ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  // b into a register, a into b, the register into a.
  EXPECT_EQ(body.ops(), "move move move");
  EXPECT_EQ(body.code[0].d.space, micro::Space::Register);
  EXPECT_EQ(body.code[0].a.index, 1u);
  EXPECT_EQ(body.code[1].d.index, 1u);
  EXPECT_EQ(body.code[1].a.space, micro::Space::State);
  EXPECT_EQ(body.code[2].a.space, micro::Space::Register);
}

TEST(LowerBody, AStateStillReadIsNotOverwritten) {
  // b needs the old a after a's new value is known.
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample, %b : " + kV +
            " reset sample) {\n %x = dend.add "
            "%a, %I : (" +
            kV + ", " + kV + ") -> " + kV + "\n %y = dend.sub %a, %b : (" + kV +
            ", " + kV + ") -> " + kV + "\n dend.yield states(%x, %y : " + kV +
            ", " + kV + ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.ops(), "add sub move");
  EXPECT_EQ(body.code[0].d.space, micro::Space::Register);
  EXPECT_EQ(body.code[1].d.space, micro::Space::State); // b: its last read
  EXPECT_EQ(body.code[2].d.space, micro::Space::State);
}

TEST(LowerBody, AnOldStateMayBeEmitted) {
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample) outputs(o : !dend.spike<int, -8, 7>) {\n"
            " dend.yield states(%I : " +
            kV + ") emit(%a : " + kV + ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.ops(), "emit move");
}

TEST(LowerBody, RegistersAreUsedAgain) {
  std::string ops;
  for (int i = 0; i < 40; ++i)
    ops += " %x" + std::to_string(i + 1) + " = dend.add %x" +
           std::to_string(i) + ", %I : (" + kV + ", " + kV + ") -> " + kV +
           "\n";
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%x0 : " + kV +
            " reset sample) {\n" + ops + " dend.yield states(%x40 : " + kV +
            ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.code.size(), 40u);
  EXPECT_LE(body.program.registers(), 2u);
}

TEST(LowerBody, WhatNothingReadsIsNotComputed) {
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample) {\n %x = dend.neg %a : (" + kV + ") -> " + kV +
            "\n dend.yield states(%I : " + kV + ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.ops(), "move");
}

TEST(LowerBody, ASkippedRegionWritesTheResultsOnly) {
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample) {\n %c = dend.cmp gt %I, %a : (" + kV + ", " + kV +
            ") -> i1\n %r = dend.when %c keep(%a : " + kV + ") -> (" + kV +
            ") {\n %x = dend.neg %I : (" + kV + ") -> " + kV +
            "\n dend.give %x : " + kV + "\n }\n dend.yield states(%r : " + kV +
            ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  // The state lies still unless the region runs.
  EXPECT_EQ(body.ops(), "cmp skip neg move");
  EXPECT_EQ(body.code[1].m, 2u);
  EXPECT_EQ(body.code[3].d.space, micro::Space::State);
}

TEST(LowerBody, AStateThatIsReadLaterIsNotReplacedInItsRegion) {
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample, %b : " + kV +
            " reset sample) {\n %c = dend.cmp gt %I, %a : (" + kV + ", " + kV +
            ") -> i1\n %r = dend.when %c keep(%a : " + kV + ") -> (" + kV +
            ") {\n %x = dend.neg %I : (" + kV + ") -> " + kV +
            "\n dend.give %x : " + kV + "\n }\n %y = dend.add %a, %b : (" + kV +
            ", " + kV + ") -> " + kV + "\n dend.yield states(%r, %y : " + kV +
            ", " + kV + ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.ops().substr(0, 22), "cmp move skip neg move");
}

// What is computed in front of the region goes to the state inside it.
TEST(LowerBody, AStateOfASkippedRegionStays) {
  Body body("dend.neuron @n ports(%I : " + kV + ") states(%a : " + kV +
            " reset sample, %b : " + kV +
            " reset sample) {\n %x = dend.add %a, %I : (" + kV + ", " + kV +
            ") -> " + kV + "\n %c = dend.cmp gt %I, %b : (" + kV + ", " + kV +
            ") -> i1\n %r = dend.when %c keep(%a : " + kV + ") -> (" + kV +
            ") {\n dend.give %x : " + kV +
            "\n }\n dend.yield states(%r, %b : " + kV + ", " + kV + ")\n}");
  ASSERT_TRUE(body.ok) << body.errors;
  EXPECT_EQ(body.ops(), "add cmp skip move");
  EXPECT_EQ(body.code[0].d.space, micro::Space::Register);
  EXPECT_EQ(body.code[2].m, 1u);
  EXPECT_EQ(body.code[3].d.space, micro::Space::State);
}

/// What a target says that cannot hold the LIF neuron.
std::string refusal(const std::string &target) {
  Body body(kLif, target);
  EXPECT_FALSE(body.ok);
  return body.errors;
}

TEST(Legality, LimitsAreNamedWithNumbers) {
  EXPECT_EQ(refusal("loihi2,microcode.registers=1"),
            "model '@lif' needs 2 registers, target 'loihi2' has 1; use "
            "shorter vectors or fewer values at a time, or lift the limit "
            "(--override-limit registers)\n");
  EXPECT_EQ(refusal("loihi2,microcode.program_words=4"),
            "model '@lif' needs 6 program words, target 'loihi2' has 4; use "
            "fewer operations or smaller tables, or lift the limit "
            "(--override-limit program_words)\n");
  EXPECT_EQ(refusal("loihi2,microcode.state_bytes=2"),
            "model '@lif' needs 3 bytes of state per neuron, target 'loihi2' "
            "has 2; use fewer or narrower states, or lift the limit "
            "(--override-limit state_bytes)\n");
  std::string words = refusal("loihi2,microcode.word_bits=16");
  EXPECT_NE(words.find("has a value of 24 bits, target 'loihi2' has words of "
                       "16"),
            std::string::npos)
      << words;
}

TEST(Legality, AMissingInstructionNamesWhoHasIt) {
  std::string errors = refusal("loihi1");
  EXPECT_NE(errors.find("needs the instruction 'mul', which target 'loihi1' "
                        "lacks; catalyst-n1, ideal, loihi2, loihi2-binary, "
                        "spinnaker2 have it"),
            std::string::npos)
      << errors;
}

TEST(Legality, PayloadsMustFit) {
  const std::string model =
      "dend.neuron @n ports(%I : " + kV +
      ") outputs(o : !dend.spike<int, -200, 7>) {\n dend.yield emit(%I : " +
      kV + ")\n}";
  EXPECT_TRUE(Body(model, "loihi2").ok);
  EXPECT_EQ(Body(model, "loihi2,spikes.payload_bits=8").errors,
            "output 'o' of model '@n' sends -200 to 7, which takes 9 bits of "
            "payload; target 'loihi2' has 8\n");
  EXPECT_EQ(Body(model, "loihi2-binary").errors,
            "output 'o' of model '@n' sends -200 to 7, target 'loihi2-binary' "
            "has no graded spikes\n");
}

} // namespace
} // namespace dendrolith::test
