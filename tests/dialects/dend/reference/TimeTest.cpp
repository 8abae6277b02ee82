// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/reference/Clocks.cpp,
// dialects/dend/reference/Interpreter.cpp,
// dialects/dend/fast/Interpreter.cpp.
// Logical time: delays, divided clocks, held ports, resets, and the order of
// updates.

#include "tests/dialects/dend/reference/Support.h"

#include "dialects/dend/reference/Clocks.h"

namespace dendrolith::dend::test {
namespace {

// Emits what it receives and remembers it; counts its updates; and the same
// with a port held over a token.
const std::string kModels = R"(
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.neuron @relay ports(%x : f64) states(%last : f64 reset sample)
      outputs(y : !dend.spike<graded>) {
    dend.yield states(%x : f64) emit(%x : f64)
  }
  dend.neuron @holding ports(%x : f64 hold @token) states(%last : f64 reset sample)
      outputs(y : !dend.spike<graded>) {
    dend.yield states(%x : f64) emit(%x : f64)
  }
  dend.neuron @counter states(%n : f64 reset sample) outputs(y : !dend.spike<graded>) {
    %one = dend.literal 1.0 : f64 as f64
    %next = dend.add %n, %one : (f64, f64) -> f64
    dend.yield states(%next : f64) emit(%next : f64)
  }
  dend.input @x on @token : tensor<1xf64> as !dend.spike<graded>
)";

std::string project(const std::string &from, const std::string &to,
                    int64_t delay, const std::string &more = "") {
  return "dend.project @" + from + " -> @" + to + "[\"x\"] #dend.diagonal " +
         more + " delay " + std::to_string(delay) + "\n";
}

/// `state` of a population at every tick of its clock, for root ticks with
/// inputs 1, 2, 3, ...
Reals trace(const std::string &network, const std::string &population,
            int64_t rootTicks, const std::string &state = "last") {
  Loaded loaded(kModels + network);
  Reals all;
  if (!loaded) {
    ADD_FAILURE() << loaded.errors;
    return all;
  }
  for (int64_t t = 1; t <= rootTicks; ++t) {
    loaded->tick({{"x", {double(t)}}});
    const Signal &signal = loaded->state(population, state);
    EXPECT_EQ(signal.ticks, loaded->ticks(population));
    all.insert(all.end(), signal.real.begin(), signal.real.end());
  }
  return all;
}

TEST(Time, zeroDelayReachesThroughAChainInOneTickWhateverTheOrderOfOps) {
  EXPECT_EQ(trace("dend.population @C : @relay[1] on @token\n" +
                      project("B", "C", 0) + project("x", "A", 0) +
                      "dend.population @B : @relay[1] on @token\n"
                      "dend.population @A : @relay[1] on @token\n" +
                      project("A", "B", 0),
                  "C", 3),
            (Reals{1, 2, 3}));
}

TEST(Time, delaysCountTicks) {
  std::string two = "dend.population @A : @relay[1] on @token\n"
                    "dend.population @B : @relay[1] on @token\n";
  EXPECT_EQ(trace(two + project("x", "A", 0) + project("A", "B", 2), "B", 5),
            (Reals{0, 0, 1, 2, 3}));
  EXPECT_EQ(trace(two + project("x", "A", 1) + project("A", "B", 1), "B", 5),
            (Reals{0, 0, 1, 2, 3}));
  // Two projections between one pair arrive apart.
  EXPECT_EQ(trace(two + project("x", "A", 0) + project("A", "B", 0) +
                      project("A", "B", 3),
                  "B", 5),
            (Reals{1, 2, 3, 4 + 1, 5 + 2}));
}

TEST(Time, aLoopWithDelayOneSeesThePreviousTick) {
  EXPECT_EQ(trace("dend.population @A : @relay[1] on @token\n" +
                      project("x", "A", 0) + project("A", "A", 1),
                  "A", 4),
            (Reals{1, 3, 6, 10}));
}

TEST(Time, zeroDelayCyclesAreRefusedByName) {
  Loaded two(kModels +
             "dend.population @A : @relay[1] on @token\n"
             "dend.population @B : @relay[1] on @token\n" +
             project("x", "A", 0) + project("A", "B", 0) +
             project("B", "A", 0));
  EXPECT_FALSE(two);
  EXPECT_NE(two.errors.find("zero-delay cycle"), std::string::npos);
  EXPECT_TRUE(two.errors.find("@A -> @B -> @A") != std::string::npos ||
              two.errors.find("@B -> @A -> @B") != std::string::npos)
      << two.errors;
  EXPECT_NE(two.errors.find("give one projection delay 1"), std::string::npos);
  EXPECT_NE(two.errors.find("note: this projection has delay 0"),
            std::string::npos);

  Loaded self(kModels + "dend.population @A : @relay[1] on @token\n" +
              project("A", "A", 0));
  EXPECT_FALSE(self);
  EXPECT_NE(self.errors.find("cycle of projections @A -> @A"),
            std::string::npos)
      << self.errors;

  // A population that merely hangs on the cycle is not named.
  Loaded tail(kModels +
              "dend.population @T : @relay[1] on @token\n"
              "dend.population @A : @relay[1] on @token\n"
              "dend.population @B : @relay[1] on @token\n" +
              project("A", "B", 0) + project("B", "A", 0) +
              project("B", "T", 0));
  EXPECT_FALSE(tail);
  EXPECT_EQ(tail.errors.find("@T"), std::string::npos) << tail.errors;
}

TEST(Time, cyclesAcrossClocksAreFound) {
  // The token waits for all micro ticks, the first of which waits for it.
  std::string both = "dend.population @S : @relay[1] on @micro\n"
                     "dend.population @T : @relay[1] on @token\n" +
                     project("S", "T", 0);
  Loaded loaded(kModels + both + project("T", "S", 0));
  EXPECT_FALSE(loaded);
  EXPECT_NE(loaded.errors.find("zero-delay cycle"), std::string::npos);
  EXPECT_TRUE(Loaded(kModels + both + project("T", "S", 1)));
}

TEST(Time, aSlowTargetAddsUpTheTicksOfAFastSource) {
  std::string both = "dend.population @F : @counter[1] on @micro\n"
                     "dend.population @T : @relay[1] on @token\n";
  EXPECT_EQ(trace(both + project("F", "T", 0), "T", 3),
            (Reals{1 + 2 + 3 + 4, 5 + 6 + 7 + 8, 9 + 10 + 11 + 12}));
  EXPECT_EQ(trace(both + project("F", "T", 1), "T", 3), (Reals{0, 10, 26}));
  EXPECT_EQ(trace(both + project("F", "T", 2), "T", 3), (Reals{0, 0, 10}));
}

TEST(Time, aFastTargetSeesASlowValueOnceOrHeld) {
  std::string ends =
      "dend.population @T : @relay[1] on @token\n" + project("x", "T", 0);
  std::string once = "dend.population @F : @relay[1] on @micro\n";
  std::string held = "dend.population @F : @holding[1] on @micro\n";
  EXPECT_EQ(trace(ends + once + project("T", "F", 0), "F", 2),
            (Reals{1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(trace(ends + once + project("T", "F", 1), "F", 2),
            (Reals{0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(trace(ends + held + project("T", "F", 0), "F", 2),
            (Reals{1, 1, 1, 1, 2, 2, 2, 2}));
  // Straight from an input.
  EXPECT_EQ(trace(held + project("x", "F", 0), "F", 2),
            (Reals{1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Time, aHeldPortAddsUpWhatArrivesUntilItsClockTicks) {
  std::string both = "dend.population @F : @counter[1] on @micro\n"
                     "dend.population @H : @holding[1] on @micro\n";
  EXPECT_EQ(trace(both + project("F", "H", 0), "H", 2),
            (Reals{1, 3, 6, 10, 5, 11, 18, 26}));
  // What a fast clock's delay carries over the edge falls into the next token.
  EXPECT_EQ(trace(both + project("F", "H", 1), "H", 2),
            (Reals{0, 1, 3, 6, 4, 9, 15, 22}));
}

TEST(Time, biasesAreAddedAtEveryUpdateAndNotHeld) {
  std::string bias = "dend.constant @b : tensor<1xf64> = dense<0.5> : "
                     "tensor<1xf64>\n";
  EXPECT_EQ(trace(bias + "dend.population @H : @holding[1] on @micro\n" +
                      project("x", "H", 0, "bias @b"),
                  "H", 2),
            (Reals{1.5, 1.5, 1.5, 1.5, 2.5, 2.5, 2.5, 2.5}));
  EXPECT_EQ(trace(bias + "dend.population @A : @relay[1] on @token\n" +
                      project("x", "A", 2, "bias @b"),
                  "A", 4),
            (Reals{0.5, 0.5, 1.5, 2.5}));
}

TEST(Time, statesAreResetByTheirClock) {
  std::string model = R"(
    dend.neuron @by ports(%x : f64)
        states(%sample : f64 reset sample init 10.0, %token : f64 reset @token init 20.0, %never : f64 reset never init 30.0) {
      %one = dend.literal 1.0 : f64 as f64
      %a = dend.add %sample, %one : (f64, f64) -> f64
      %b = dend.add %token, %one : (f64, f64) -> f64
      %c = dend.add %never, %one : (f64, f64) -> f64
      dend.yield states(%a, %b, %c : f64, f64, f64)
    }
    dend.population @P : @by[1] on @micro
    dend.population @Q : @relay[1] on @token
  )" + project("x", "Q", 2);
  Loaded loaded(kModels + model);
  ASSERT_TRUE(loaded) << loaded.errors;
  auto tick = [&](double x) {
    loaded->tick({{"x", {x}}});
    return loaded->state("Q", "last").real.at(0);
  };
  tick(7);
  tick(8);
  EXPECT_EQ(loaded->state("P", "sample").real, (Reals{15, 16, 17, 18}));
  EXPECT_EQ(loaded->state("P", "token").real, (Reals{21, 22, 23, 24}));
  EXPECT_EQ(loaded->state("P", "never").real, (Reals{35, 36, 37, 38}));
  loaded->reset();
  // What was under way is forgotten, time starts anew.
  EXPECT_EQ(tick(1), 0);
  EXPECT_EQ(loaded->state("P", "sample").real, (Reals{11, 12, 13, 14}));
  EXPECT_EQ(loaded->state("P", "token").real, (Reals{21, 22, 23, 24}));
  EXPECT_EQ(loaded->state("P", "never").real, (Reals{39, 40, 41, 42}));
  EXPECT_EQ(tick(2), 0);
  EXPECT_EQ(tick(3), 1);
}

TEST(Time, newStatesReadOnlyOldOnes) {
  Loaded loaded(R"(
    dend.clock @step
    dend.neuron @swap states(%a : f64 reset sample init 1.0, %b : f64 reset sample init 2.0) {
      dend.yield states(%b, %a : f64, f64)
    }
    dend.population @P : @swap[1] on @step)");
  ASSERT_TRUE(loaded) << loaded.errors;
  for (double first : {2, 1, 2}) {
    loaded->tick({});
    EXPECT_EQ(loaded->state("P", "a").real, (Reals{first}));
    EXPECT_EQ(loaded->state("P", "b").real, (Reals{3 - first}));
  }
}

TEST(Time, inputsAndOutputsOnADividedClockHaveItsTicks) {
  Loaded loaded(kModels + R"(
    dend.input @m on @micro : tensor<2xf64> as !dend.spike<graded>
    dend.population @F : @relay[2] on @micro
    dend.population @T : @relay[2] on @token
    dend.output @fast = @F["y"]
    dend.output @slow = probe @T["last"]
  )" + project("m", "F", 0) +
                project("F", "T", 0));
  ASSERT_TRUE(loaded) << loaded.errors;
  ASSERT_EQ(loaded->inputs().size(), 2u);
  EXPECT_EQ(loaded->inputs()[1].size(), 8);
  EXPECT_EQ(loaded->outputs()[0].ticks, 4);
  EXPECT_EQ(loaded->outputs()[0].shape, (Ints{2}));
  loaded->tick({{"x", {0}}, {"m", {1, 2, 3, 4, 5, 6, 7, 8}}});
  EXPECT_EQ(loaded->output("fast"), (Reals{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(loaded->output("slow"), (Reals{1 + 3 + 5 + 7, 2 + 4 + 6 + 8}));
}

TEST(Time, nestedClocks) {
  std::string nested = "dend.clock @nano divides @micro by 3\n"
                       "dend.population @N : @counter[1] on @nano\n"
                       "dend.population @F : @relay[1] on @micro\n" +
                       project("N", "F", 0);
  EXPECT_EQ(trace(nested, "F", 1), (Reals{6, 15, 24, 33}));
}

TEST(Time, clocksThatDoNotDivideEachOtherAreRefused) {
  Loaded loaded(kModels +
                "dend.clock @third divides @token by 3\n"
                "dend.population @A : @counter[1] on @third\n"
                "dend.population @B : @relay[1] on @micro\n" +
                project("A", "B", 0));
  EXPECT_FALSE(loaded);
  EXPECT_NE(loaded.errors.find("divide"), std::string::npos) << loaded.errors;
}

TEST(Time, aLongDelayCostsNothingUntilSomethingIsSent) {
  EXPECT_EQ(trace("dend.population @A : @relay[1] on @token\n" +
                      project("x", "A", 2000000000),
                  "A", 2),
            (Reals{0, 0}));
}

} // namespace
} // namespace dendrolith::dend::test
