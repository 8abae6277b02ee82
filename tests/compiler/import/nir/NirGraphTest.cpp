// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/nir/Graph.cpp, compiler/import/nir/Wiring.cpp.
// How nodes are joined: chains, sums, loops, delays, nested graphs.

#include "tests/compiler/import/NirWriter.h"
#include "tests/compiler/import/Run.h"

#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::testing;

static void input(NirWriter &file, double n, const std::string &name = "input",
                  const std::string &graph = "/node") {
  file.node(name, "Input", graph).set("shape", {1}, {n});
}
static void output(NirWriter &file, double n,
                   const std::string &name = "output",
                   const std::string &graph = "/node") {
  file.node(name, "Output", graph).set("shape", {1}, {n});
}
/// A population that adds what arrives to v: y(t) = y(t-1) + x(t).
static void adder(NirWriter &file, const std::string &name, hsize_t n,
                  const std::string &graph = "/node") {
  file.node(name, "I", graph).set("r", {n}, std::vector<double>(n, 1));
}

static size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1))
    ++n;
  return n;
}

static std::string policy(const Imported &run, const std::string &name) {
  for (const auto &line : run.choices())
    if (line.first == name)
      return line.second;
  return "";
}

TEST(NirGraph, ChainIsOneProjection) {
  NirWriter file("chain.nir");
  input(file, 2);
  file.stored(H5T_IEEE_F32LE)
      .node("a", "Affine")
      .set("weight", {3, 2}, {1, 2, 3, 4, 5, 6})
      .set("bias", {3}, {1, 0, -1});
  file.node("s", "Scale").set("scale", {3}, {1, 10, 100});
  file.node("b", "Linear").set("weight", {1, 3}, {1, 1, 1});
  adder(file, "n", 1);
  output(file, 1);
  file.edges(
      {{"b", "n"}, {"input", "a"}, {"s", "b"}, {"n", "output"}, {"a", "s"}});
  Imported run(file.close());
  // W = [1 10 100] [[1 2] [3 4] [5 6]] = [531 642], b = 1 - 100
  EXPECT_EQ(run.outputs({{1, 0}, {0, 1}, {0, 0}}), (Rows{{432}, {975}, {876}}));
  EXPECT_EQ(count(run.text(), "dend.project "), 1u);
}

TEST(NirGraph, FloatWeightsStayFloat) {
  NirWriter file("dtype.nir");
  input(file, 2);
  file.stored(H5T_IEEE_F32LE)
      .node("a", "Linear")
      .set("weight", {1, 2}, {0.1, 0.2});
  adder(file, "n", 1);
  output(file, 1);
  file.edges({{"input", "a"}, {"a", "n"}, {"n", "output"}});
  Imported run(file.close());
  EXPECT_NE(run.text().find("tensor<1x2xf32>"), std::string::npos);
  EXPECT_EQ(run.outputs({{1, 0}}), (Rows{{0.1f}}));
}

TEST(NirGraph, EdgesAddAndRepeatedEdgesCount) {
  NirWriter file("repeat.nir");
  input(file, 1);
  file.node("s", "Scale").set("scale", {1}, {10});
  adder(file, "n", 1);
  output(file, 1);
  file.edges({{"input", "s"},
              {"s", "n"},
              {"input", "n"},
              {"input", "n"},
              {"n", "output"}});
  Imported run(file.close());
  EXPECT_EQ(run.outputs({{1}, {2}}), (Rows{{12}, {36}}));
  EXPECT_EQ(policy(run, "repeated edges"), "each counts: 'input' -> 'n'");
}

TEST(NirGraph, PathsThatMeetInALinearNodeAddUp) {
  NirWriter file("diamond.nir");
  input(file, 2);
  file.node("a", "Linear").set("weight", {2, 2}, {1, 2, 3, 4});
  file.node("b", "Scale").set("scale", {2}, {10, 20});
  file.node("c", "Linear").set("weight", {1, 2}, {1, 1});
  adder(file, "n", 1);
  output(file, 1);
  file.edges({{"input", "a"},
              {"input", "b"},
              {"a", "c"},
              {"b", "c"},
              {"c", "n"},
              {"n", "output"}});
  Imported run(file.close());
  EXPECT_EQ(run.outputs({{1, 0}, {0, 1}}), (Rows{{14}, {40}}));
  EXPECT_EQ(count(run.text(), "dend.project "), 1u);
}

/// Loops read the previous step; a bias in the loop counts from the first.
TEST(NirGraph, LoopHasDelayOneAndItsBiasAtOnce) {
  NirWriter file("loop.nir");
  input(file, 1);
  adder(file, "n", 1);
  file.node("w", "Affine").set("weight", {1, 1}, {2}).set("bias", {1}, {100});
  output(file, 1);
  file.edges({{"input", "n"}, {"n", "w"}, {"w", "n"}, {"n", "output"}});
  Imported run(file.close());
  // v(t) = v(t-1) + x + 2 v(t-1) + 100
  EXPECT_EQ(run.outputs({{1}, {0}, {0}}), (Rows{{101}, {403}, {1309}}));
  EXPECT_EQ(policy(run, "loop-delay"), "1 on 'w' -> 'n'");
  nir::NirOptions three;
  three.loopDelay = 3;
  EXPECT_EQ(Imported(file.path(), three).outputs({{1}, {0}, {0}, {0}}),
            (Rows{{101}, {201}, {301}, {603}}));
  nir::NirOptions none;
  none.loopDelay = 0;
  EXPECT_EQ(refusal(file.path(), none),
            file.path() + ": node 'n' (I): it lies on a cycle without delay, "
                          "because --import loop-delay is 0; give 1 or more");
}

/// Two populations in a loop: the edge waits that returns to the one that the
/// input reaches, whatever their names are.
TEST(NirGraph, LoopOfTwoPopulations) {
  NirWriter file("two.nir");
  input(file, 1);
  adder(file, "a", 1);
  adder(file, "b", 1);
  output(file, 1);
  file.edges({{"b", "a"}, {"a", "b"}, {"input", "b"}, {"b", "output"}});
  Imported run(file.close());
  EXPECT_EQ(policy(run, "loop-delay"), "1 on 'a' -> 'b'");
  // b(t) = b(t-1) + a(t-1) + x; a(t) = a(t-1) + b(t)
  EXPECT_EQ(run.outputs({{1}, {0}, {0}}), (Rows{{1}, {2}, {5}}));
  ASSERT_EQ(run.warnings().size(), 1u);
  EXPECT_EQ(run.warnings()[0].code, "loop-delay");
}

/// A Delay node in a loop lasts what it says, and nothing else waits there.
TEST(NirGraph, DelayInALoopLastsWhatItSays) {
  NirWriter file("loop-of-a-delay.nir");
  input(file, 2);
  adder(file, "n", 2);
  file.node("d", "Delay").set("delay", {2}, {2e-4, 0});
  output(file, 2);
  file.edges({{"input", "n"}, {"n", "d"}, {"d", "n"}, {"n", "output"}});
  Imported run(file.close());
  // v0(t) = v0(t-1) + x + v0(t-2); v1(t) = v1(t-1) + x + v1(t-1)
  EXPECT_EQ(run.outputs({{1, 1}, {0, 0}, {0, 0}, {0, 0}}),
            (Rows{{1, 1}, {1, 2}, {2, 4}, {3, 8}}));

  NirWriter whole("loop-of-whole-delays.nir");
  input(whole, 1);
  adder(whole, "n", 1);
  whole.node("d", "Delay").set("delay", {1}, {2e-4});
  output(whole, 1);
  whole.edges({{"input", "n"}, {"n", "d"}, {"d", "n"}, {"n", "output"}});
  Imported held(whole.close());
  EXPECT_EQ(policy(held, "loop-delay"), "1 on no edge (no cycle)");
  EXPECT_EQ(held.outputs({{1}, {0}, {0}, {0}}), (Rows{{1}, {1}, {2}, {3}}));
}

/// What comes from outside a loop does not wait with it, where both meet in a
/// linear node.
TEST(NirGraph, InputDoesNotWaitWithTheLoop) {
  NirWriter file("meeting.nir");
  input(file, 1);
  file.node("both", "Linear").set("weight", {1, 1}, {1});
  adder(file, "n", 1);
  file.node("back", "Linear").set("weight", {1, 1}, {2});
  output(file, 1);
  file.edges({{"input", "both"},
              {"both", "n"},
              {"n", "back"},
              {"back", "both"},
              {"n", "output"}});
  Imported run(file.close());
  EXPECT_EQ(policy(run, "loop-delay"), "1 on 'back' -> 'both'");
  EXPECT_EQ(run.outputs({{1}, {0}, {0}}), (Rows{{1}, {3}, {9}}));
}

TEST(NirGraph, MixedDelaysAreOneProjectionEach) {
  NirWriter file("delays.nir");
  input(file, 3);
  file.node("d", "Delay").set("delay", {3}, {0, 2e-4, 2e-4});
  file.node("w", "Linear").set("weight", {1, 3}, {1, 10, 100});
  adder(file, "n", 1);
  output(file, 1);
  file.edges({{"input", "d"}, {"d", "w"}, {"w", "n"}, {"n", "output"}});
  Imported run(file.close());
  EXPECT_EQ(run.outputs({{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}),
            (Rows{{1}, {1}, {111}, {111}}));
  EXPECT_EQ(count(run.text(), "dend.project "), 2u);
}

TEST(NirGraph, NestedGraphsAndPorts) {
  NirWriter file("nested.nir");
  input(file, 1);
  file.graph("/node/nodes/sub");
  const std::string sub = "/node/nodes/sub";
  input(file, 1, "left", sub);
  input(file, 1, "right", sub);
  file.node("k", "Scale", sub).set("scale", {1}, {100});
  adder(file, "n", 1, sub);
  output(file, 1, "out", sub);
  file.edges({{"left", "n"}, {"right", "k"}, {"k", "n"}, {"n", "out"}}, sub);
  adder(file, "sub.out", 1); // an exact name comes before a port
  output(file, 1);
  output(file, 1, "other");
  file.node("z", "Scale").set("scale", {1}, {7});
  file.edges({{"input", "sub.left"},
              {"input", "z"},
              {"z", "sub.right"},
              {"sub", "output"},
              {"input", "sub.out"},
              {"sub.out", "other"}});
  EXPECT_EQ(refusal(file.close()),
            file.path() +
                ": node 'sub.out' (I): another node has the same name once "
                "nested graphs are dissolved; rename one of them");

  NirWriter good("nested2.nir");
  input(good, 1);
  good.graph("/node/nodes/sub");
  input(good, 1, "left", sub);
  input(good, 1, "right", sub);
  good.node("k", "Scale", sub).set("scale", {1}, {100});
  adder(good, "n", 1, sub);
  output(good, 1, "out", sub);
  good.edges({{"left", "n"}, {"right", "k"}, {"k", "n"}, {"n", "out"}}, sub);
  adder(good, "sub.x", 1);
  output(good, 1);
  output(good, 1, "other");
  good.node("z", "Scale").set("scale", {1}, {7});
  good.edges({{"input", "sub.left"},
              {"input", "z"},
              {"z", "sub.right"},
              {"sub", "output"},
              {"input", "sub.x"},
              {"sub.x", "other"}});
  Imported run(good.close());
  run.record("sub.n");
  EXPECT_EQ(run.outputs({{1}, {2}}), (Rows{{701}, {2103}}));
  EXPECT_EQ(run.emissions("sub.n"), (Rows{{701}, {2103}}));
  EXPECT_EQ(run.outputs({{1}, {2}}, "input", "other"), (Rows{{1}, {3}}));
  // The inner population shows itself: no read-out is needed.
  EXPECT_EQ(count(run.text(), "probe"), 2u);
  EXPECT_EQ(run.text().find("readout"), std::string::npos);
}

TEST(NirGraph, NamesFromTheFileComeFirst) {
  NirWriter file("names.nir");
  input(file, 1, "step");
  file.node("lif", "IF").scalar("r", 1).scalar("v_threshold", 0.5);
  file.node("if", "IF").set("r", {1}, {1}).set("v_threshold", {1}, {0.5});
  output(file, 1, "odd name: é");
  file.edges({{"step", "lif"}, {"lif", "if"}, {"if", "odd name: é"}});
  Imported run(file.close());
  EXPECT_EQ(run.outputs({{1}, {0}}, "step", "odd name: é"), (Rows{{1}, {0}}));
}

TEST(NirGraph, DtFromMetadataAndItsWarning) {
  NirWriter file("metadata.nir");
  input(file, 1);
  file.group("/node/metadata");
  file.numbers("/node/metadata/dt", {}, {5e-4});
  file.node("n", "LIF")
      .set("tau", {1}, {2e-3})
      .set("r", {1}, {2})
      .set("v_leak", {1}, {0})
      .set("v_threshold", {1}, {1});
  output(file, 1);
  file.edges({{"input", "n"}, {"n", "output"}});
  file.close();
  // All neurons, here the only one, say something else than the file.
  EXPECT_EQ(
      refusal(file.path()),
      file.path() +
          ": node 'n' (LIF): tau/r, as those of all neurons, imply a dt of "
          "0.001, but 0.0005 (from the file) would be used; give --import "
          "dt=0.001 if the network was trained with it, else --import "
          "dt=0.0005");
  nir::NirOptions options;
  options.dt = 5e-4;
  Imported run(file.path(), options);
  EXPECT_EQ(policy(run, "dt"), "0.0005 s (given)");
  ASSERT_EQ(run.warnings().size(), 1u);
  EXPECT_EQ(
      lineOf(run.warnings()[0]),
      "node 'n': tau/r imply a dt of 0.001 (file's unit), but 0.0005 is "
      "used; give --import dt if the network was trained with it [other-dt]");
  options.dt = 1e-3;
  Imported other(file.path(), options);
  EXPECT_EQ(policy(other, "dt"), "0.001 s (given)");
  EXPECT_TRUE(other.warnings().empty());
}

TEST(NirGraph, ImportsTheSameTextTwice) {
  NirWriter file("twice.nir");
  input(file, 2);
  file.node("a", "Linear").set("weight", {2, 2}, {1, 2, 3, 4});
  adder(file, "n", 2);
  output(file, 2);
  file.edges({{"input", "a"}, {"a", "n"}, {"n", "output"}});
  EXPECT_EQ(Imported(file.close()).text(), Imported(file.path()).text());
}
