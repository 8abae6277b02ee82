// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/nir/GraphFields.cpp,
// compiler/import/nir/GraphShapes.cpp, compiler/import/nir/GraphCycles.cpp.
// What is refused, and in which words.

#include "targets/support/Error.h"
#include "tests/compiler/import/NirWriter.h"
#include "tests/compiler/import/Run.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::testing;

/// input (2) -> a (2x2) -> n (2) -> output (2); the caller may change parts.
static std::string
refusalOf(const std::function<void(NirWriter &)> &affine,
          const std::function<void(NirWriter &)> &neuron = {},
          Edges edges = {{"input", "a"}, {"a", "n"}, {"n", "output"}},
          const nir::NirOptions &options = {}) {
  NirWriter file("bad.nir");
  file.node("input", "Input").set("shape", {1}, {2});
  if (affine)
    affine(file);
  else
    file.node("a", "Affine")
        .set("weight", {2, 2}, {1, 2, 3, 4})
        .set("bias", {2}, {1, 2});
  if (neuron)
    neuron(file);
  else
    file.node("n", "LI").scalar("tau", 1e-3).scalar("r", 1).scalar("v_leak", 0);
  file.node("output", "Output").set("shape", {1}, {2});
  file.edges(edges);
  std::string text = refusal(file.close(), options);
  std::string start = file.path() + ": ";
  EXPECT_EQ(text.rfind(start, 0), 0u) << text;
  return text.size() > start.size() ? text.substr(start.size()) : text;
}

TEST(NirRefusal, UnknownTypes) {
  EXPECT_EQ(refusalOf([](NirWriter &f) { f.node("a", "affine"); }),
            "node 'a': unknown node type 'affine', expected one of Input, "
            "Output, Affine, Linear, Scale, Conv1d, Conv2d, SumPool2d, "
            "AvgPool2d, Flatten, Delay, Threshold, I, IF, LI, LIF, CubaLI, "
            "CubaLIF, NIRGraph; node types are case-sensitive");
}

TEST(NirRefusal, Datasets) {
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Affine").set("weight", {2, 2}, {1, 2, 3, 4});
            }),
            "node 'a' (Affine): dataset 'bias' is missing, expected weight, "
            "bias; write the file again with it");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Linear")
                  .set("weight", {2, 2}, {1, 2, 3, 4})
                  .set("extra", {1}, {1});
            }),
            "node 'a' (Linear): unknown dataset 'extra', expected weight; "
            "nothing is dropped silently: remove it or keep it in metadata");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Linear").set("weight", {2, 2}, {1, 2, NAN, 4});
            }),
            "node 'a' (Linear): weight[1, 0] is nan, expected a finite number; "
            "repair the values and write the file again");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Scale").set("scale", {2}, {1, -INFINITY});
            }),
            "node 'a' (Scale): scale[1] is -inf, expected a finite number; "
            "repair the values and write the file again");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Linear").set("weight", {0, 2}, {});
            }),
            "node 'a' (Linear): dataset 'weight' has shape (0, 2) and is "
            "empty, expected values");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Linear");
              f.text("/node/nodes/a/weight", "none");
            }),
            "node 'a' (Linear): dataset 'weight' holds strings, expected "
            "numbers");
  EXPECT_EQ(refusalOf([](NirWriter &f) { f.group("/node/nodes/a"); }),
            "node 'a': expected a group with the string 'type', found none; a "
            "'/' in a node name has this effect");
}

TEST(NirRefusal, Parameters) {
  EXPECT_EQ(
      refusalOf({},
                [](NirWriter &f) {
                  f.node("n", "LI").scalar("tau", 0).scalar("r", 1).scalar(
                      "v_leak", 0);
                }),
      "node 'n' (LI): tau is 0, expected a time constant above 0; repair "
      "the values and write the file again");
  EXPECT_EQ(refusalOf({},
                      [](NirWriter &f) {
                        f.node("n", "LI")
                            .set("tau", {2}, {1, 1})
                            .set("r", {1}, {1})
                            .scalar("v_leak", 0);
                      }),
            "node 'n' (LI): 'tau' has shape (2,), expected (1,) as 'r' has: "
            "all parameters of a neuron node have one shape");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Delay").set("delay", {2}, {0, -1e-3});
            }),
            "node 'a' (Delay): delay[1] is -0.001, expected a delay of 0 or "
            "more; nothing can be read before it is sent");
  nir::NirOptions subtract;
  subtract.reset = nir::Reset::Subtract;
  EXPECT_EQ(
      refusalOf(
          {},
          [](NirWriter &f) {
            f.node("n", "IF")
                .scalar("r", 1)
                .scalar("v_threshold", 1)
                .scalar("v_reset", -1);
          },
          {{"input", "a"}, {"a", "n"}, {"n", "output"}}, subtract),
      "node 'n' (IF): v_reset is not zero, and --import reset=subtract takes "
      "the threshold off instead; import it with --import reset=value");
}

TEST(NirRefusal, Shapes) {
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Linear").set("weight", {2, 3}, {1, 2, 3, 4, 5, 6});
            }),
            "node 'a' (Linear): the edge from 'input' brings shape (2,), "
            "expected (3,); correct the shape or put a Flatten node between");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Affine")
                  .set("weight", {2, 2}, {1, 2, 3, 4})
                  .set("bias", {1}, {1});
            }),
            "node 'a' (Affine): 'bias' has shape (1,), expected (2,) to match "
            "'weight' (2, 2)");
  EXPECT_EQ(refusalOf([](NirWriter &f) {
              f.node("a", "Linear").set("weight", {4}, {1, 2, 3, 4});
            }),
            "node 'a' (Linear): 'weight' has shape (4,), expected (..., out, "
            "in)");
  EXPECT_EQ(
      refusalOf([](NirWriter &f) {
        f.node("a", "Flatten").scalar("start_dim", 0).scalar("end_dim", 3);
      }),
      "node 'a' (Flatten): start_dim 0 and end_dim 3 do not exist in its "
      "input (2,)");
}

TEST(NirRefusal, Windows) {
  auto conv = [](std::vector<hsize_t> weight, double groups, double stride,
                 const char *padding) {
    return [=](NirWriter &f) {
      hsize_t count = 1;
      for (hsize_t n : weight)
        count *= n;
      f.node("m", "Linear").set("weight", {6, 2}, std::vector<double>(12, 1));
      f.node("a", "Conv2d")
          .set("weight", weight, std::vector<double>(count, 1))
          .set("bias", {weight[0]}, std::vector<double>(weight[0], 0))
          .scalar("groups", groups)
          .scalar("stride", stride)
          .scalar("dilation", 1)
          .set("input_shape", {2}, {2, 2});
      if (padding)
        f.text("/node/nodes/a/padding", padding);
      else
        f.scalar("padding", 0);
    };
  };
  Edges edges = {{"input", "m"}, {"m", "a"}, {"a", "n"}, {"n", "output"}};
  EXPECT_EQ(refusalOf(conv({2, 2, 1, 1}, 2, 1, nullptr), {}, edges),
            "node 'a' (Conv2d): the edge from 'm' brings shape (6,), expected "
            "(4, 2, 2); correct the shape or put a Flatten node between");
  EXPECT_EQ(refusalOf(conv({3, 2, 1, 1}, 2, 1, nullptr), {}, edges),
            "node 'a' (Conv2d): 'weight' (3, 2, 1, 1) with 2 groups takes 4 "
            "input channels, found 4, and its output channels are no multiple "
            "of the groups");
  EXPECT_EQ(refusalOf(conv({2, 1, 3, 1}, 1, 1, nullptr), {}, edges),
            "node 'a' (Conv2d): its kernel (3, 1) with dilation (1, 1) is "
            "larger than its padded input (1, 2, 2)");
  EXPECT_EQ(refusalOf(conv({2, 1, 1, 1}, 1, 2, "same"), {}, edges),
            "node 'a' (Conv2d): padding 'same' with stride 2: tools disagree "
            "on what it means; write the padding as numbers");
  EXPECT_EQ(refusalOf(conv({2, 1, 1, 1}, 1, 1, "full"), {}, edges),
            "node 'a' (Conv2d): padding 'full' is unknown, expected numbers, "
            "'same' or 'valid'");
  EXPECT_EQ(refusalOf(conv({2, 1, 1, 1}, 1, 0.5, nullptr), {}, edges),
            "node 'a' (Conv2d): 'stride' holds 0.5, expected whole numbers "
            "from 1 to 1e6");
  EXPECT_EQ(refusalOf(conv({2, 1, 1, 1}, 0, 1, nullptr), {}, edges),
            "node 'a' (Conv2d): 'groups' is not one whole number of 1 or "
            "more");
}

TEST(NirRefusal, Edges) {
  EXPECT_EQ(refusalOf({}, {}, {{"input", "a"}, {"a", "m"}, {"n", "output"}}),
            "edge 'a' -> 'm' dangles: there is no node 'm'; correct the name "
            "or add the node");
  EXPECT_EQ(refusalOf({}, {}, {{"input", "n"}, {"a", "n"}, {"n", "output"}}),
            "node 'a' (Affine): no edge leads into it; connect or remove it");
  EXPECT_EQ(refusalOf({}, {}, {}),
            "node 'a' (Affine): no edge leads into it; connect or remove it");
  EXPECT_EQ(
      refusalOf({}, {},
                {{"input", "a"}, {"a", "n"}, {"n", "output"}, {"n", "input"}}),
      "node 'input' (Input): an edge from 'n' leads into it, expected "
      "none");
}

TEST(NirRefusal, CyclesAndDelays) {
  auto scale = [](NirWriter &f) {
    f.node("a", "Scale").set("scale", {2}, {1, 1});
  };
  EXPECT_EQ(
      refusalOf(scale, {},
                {{"input", "a"}, {"a", "a"}, {"a", "n"}, {"n", "output"}}),
      "node 'a' (Scale): it lies on a cycle without a stateful node, so "
      "its value would depend on itself in the same step; put a neuron "
      "or a Delay node on the cycle");
  EXPECT_EQ(refusalOf(
                [](NirWriter &f) {
                  f.node("a", "Delay").set("delay", {2}, {1e-3, 1e-3});
                },
                {}, {{"input", "a"}, {"a", "a"}, {"a", "n"}, {"n", "output"}}),
            "node 'a' (Delay): it lies on a cycle of linear nodes and delays "
            "without a neuron; put a population on the cycle");
}

TEST(NirRefusal, WholeFile) {
  NirWriter none("nothing.nir", true);
  EXPECT_EQ(refusal(none.close()),
            none.path() + ": no group '/node', expected a NIR graph; write the "
                          "network with nir.write");
  NirWriter bare("bare.nir", true);
  bare.group("/node");
  bare.text("/node/type", "LIF");
  EXPECT_EQ(refusal(bare.close()),
            bare.path() + ": the root node is of type 'LIF', expected "
                          "NIRGraph; wrap the node in a graph with Input and "
                          "Output");
  NirWriter open("open.nir");
  open.node("input", "Input").set("shape", {1}, {2});
  open.edges({});
  EXPECT_EQ(refusal(open.close()),
            open.path() + ": the graph has no Output node, expected at least "
                          "one; add it and its edge");
}

TEST(NirRefusal, Options) {
  auto message = [](const char *name, const char *value) -> std::string {
    nir::NirOptions options;
    try {
      nir::setOption(options, name, value);
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("dt", "1ms"),
            "--import dt: expected a positive number of seconds, found '1ms'");
  EXPECT_EQ(message("dt", "nan"),
            "--import dt: expected a positive number of seconds, found 'nan'");
  EXPECT_EQ(
      message("integrator", "rk4"),
      "--import integrator: expected one of euler, exact, expdecay, mixed, "
      "found 'rk4'");
  EXPECT_EQ(
      message("preset", "brian"),
      "--import preset: expected one of norse@1.1, snntorch@0.9, snntorch@1.0, "
      "spyx@0.1, sinabs, nengo, or a tool without its version for the newest, "
      "found "
      "'brian'");
  EXPECT_EQ(message("preset", "snntorch@0.9"), "");
  EXPECT_NE(message("preset", "snntorch@7"), "");
  EXPECT_EQ(message("v-min", "-1"),
            "--import v-min: expected a number of 0 or more, found '-1'");
  EXPECT_EQ(message("loop-delay", "-1"),
            "--import loop-delay: expected 0 to 2^20 ticks, found '-1'");
  EXPECT_EQ(
      message("unit", "s"),
      "unknown import option 'unit', expected one of preset, from, strict, dt, "
      "time-unit, integrator, reset, v-reset, reset-when, spike-when, "
      "current-order, "
      "threshold, spikes-per-step, v-min, spike-value, loop-delay, "
      "loop-start, if-convention");
  EXPECT_EQ(message("reset", "subtract"), "");
  EXPECT_EQ(message("from", "lava"),
            "--import from: expected one of snntorch@1.0, norse@1.1, "
            "spikingjelly@2.0, sinabs@3.1, rockpool@3.1, spyx@1.0, nir, or a "
            "tool without its version, found 'lava'; preset has other tools' "
            "importers");
  EXPECT_EQ(message("lif1:reset", "none"), "");
  EXPECT_NE(message("lif1:reset", "soft"), "");
  EXPECT_EQ(message("lif1:dt", "1")
                .find("--import 'lif1:dt': expected NODE:KEY "
                      "with a key of one neuron"),
            0u);
  EXPECT_EQ(message("spike-value", "-1"),
            "--import spike-value: expected unit, dirac or a number above 0, "
            "found '-1'");
}
