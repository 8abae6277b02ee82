// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/nir/Neuron.cpp, compiler/import/nir/StepBody.cpp,
// compiler/import/nir/GraphWindows.cpp.
// Each node type against its equation, stepped by hand here in double.

#include "tests/compiler/import/NirWriter.h"
#include "tests/compiler/import/Run.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::testing;

/// input (n) -> node x -> output (n); the caller adds the node's datasets.
static void frame(NirWriter &file, double n) {
  file.node("input", "Input").set("shape", {1}, {n});
  file.node("output", "Output").set("shape", {1}, {n});
  file.edges({{"input", "x"}, {"x", "output"}});
}

static nir::NirOptions withDt(double dt) {
  nir::NirOptions options;
  options.dt = dt;
  return options;
}

static const Rows ramp = {{1, 0.5}, {0, 2}, {3, -1}, {0, 0}, {2, 2}, {1, 4}};

static void expectNear(const Rows &found, const Rows &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t t = 0; t < found.size(); ++t) {
    ASSERT_EQ(found[t].size(), expected[t].size());
    for (size_t i = 0; i < found[t].size(); ++i)
      EXPECT_NEAR(found[t][i], expected[t][i], 1e-12) << t << ", " << i;
  }
}

TEST(NirNodes, LinearMaps) {
  NirWriter file("affine.nir");
  frame(file, 2);
  file.node("x", "Affine")
      .set("weight", {2, 2}, {1, 2, -3, 4})
      .set("bias", {2}, {0.5, -1});
  Imported affine(file.close());
  Rows expected;
  for (const Row &x : ramp)
    expected.push_back({x[0] + 2 * x[1] + 0.5, -3 * x[0] + 4 * x[1] - 1});
  expectNear(affine.outputs(ramp), expected);

  NirWriter linear("linear.nir");
  frame(linear, 2);
  linear.stored(H5T_STD_I64LE)
      .node("x", "Linear")
      .set("weight", {2, 2}, {0, 1, 1, 0});
  Imported swapped(linear.close());
  expected.clear();
  for (const Row &x : ramp)
    expected.push_back({x[1], x[0]});
  expectNear(swapped.outputs(ramp), expected);

  NirWriter scale("scale.nir");
  frame(scale, 2);
  scale.node("x", "Scale").set("scale", {2}, {2, -0.25});
  Imported scaled(scale.close());
  expected.clear();
  for (const Row &x : ramp)
    expected.push_back({2 * x[0], -0.25 * x[1]});
  expectNear(scaled.outputs(ramp), expected);
  EXPECT_NE(scaled.text().find("#dend.diagonal"), std::string::npos);
}

TEST(NirNodes, StackOfMatricesAndFlatten) {
  NirWriter file("stack.nir");
  file.node("input", "Input").set("shape", {2}, {2, 2});
  file.node("w", "Linear").set("weight", {2, 1, 2}, {1, 2, 3, 4});
  file.node("f", "Flatten").scalar("start_dim", 0).scalar("end_dim", -1);
  file.node("output", "Output").set("shape", {1}, {2});
  file.edges({{"input", "w"}, {"w", "f"}, {"f", "output"}});
  Imported run(file.close());
  expectNear(run.outputs({{1, 10, 100, 1000}}), {{21, 4300}});
  EXPECT_NE(run.text().find("#dend.sparse"), std::string::npos);
}

TEST(NirNodes, Threshold) {
  NirWriter file("threshold.nir");
  frame(file, 2);
  file.node("x", "Threshold").set("threshold", {2}, {1, 2});
  Imported run(file.close());
  expectNear(run.outputs({{1, 2}, {1.5, 2.5}, {-3, 1}, {0, 9}}),
             {{0, 0}, {1, 1}, {0, 0}, {0, 1}}); // strict
}

TEST(NirNodes, Delay) {
  NirWriter file("delay.nir");
  frame(file, 2);
  file.node("x", "Delay").set("delay", {2}, {0.002, 0});
  Imported run(file.close(), withDt(1e-3));
  expectNear(run.outputs({{1, 2}, {3, 4}, {5, 6}, {7, 8}}),
             {{0, 2}, {0, 4}, {1, 6}, {3, 8}});
}

TEST(NirNodes, DelayHoldsBiasesBackToo) {
  // Element 0 is two ticks late, its bias too; a readout adds what arrives.
  for (bool neuron : {false, true}) {
    NirWriter file("late.nir");
    file.node("input", "Input").set("shape", {1}, {2});
    file.node("a", "Affine")
        .set("weight", {2, 2}, {1, 0, 0, 1})
        .set("bias", {2}, {0.5, 7});
    file.node("d", "Delay").set("delay", {2}, {0.002, 0});
    if (neuron)
      file.node("n", "I").set("r", {2}, {1, 0});
    file.node("output", "Output").set("shape", {1}, {2});
    Edges edges = {{"input", "a"}, {"a", "d"}};
    edges.push_back({"d", neuron ? "n" : "output"});
    if (neuron)
      edges.push_back({"n", "output"});
    file.edges(edges);
    Imported run(file.close(), withDt(1e-3));
    expectNear(run.outputs({{1, 2}, {3, 4}, {5, 6}, {7, 8}}),
               neuron ? Rows{{0, 0}, {0, 0}, {1.5, 0}, {5, 0}}
                      : Rows{{0, 9}, {0, 11}, {1.5, 13}, {3.5, 15}});
  }
}

TEST(NirNodes, IntegratorI) {
  NirWriter file("i.nir");
  frame(file, 2);
  file.node("x", "I").set("r", {2}, {0.5, 2});
  Rows byR, byDt;
  Row v = {0, 0}, w = {0, 0};
  for (const Row &x : ramp) {
    v = {v[0] + 0.5 * x[0], v[1] + 2 * x[1]};
    w = {w[0] + 0.01 * 0.5 * x[0], w[1] + 0.01 * 2 * x[1]};
    byR.push_back(v);
    byDt.push_back(w);
  }
  Imported run(file.close());
  expectNear(run.outputs(ramp), byR);
  nir::NirOptions options = withDt(0.01);
  options.ifConvention = nir::IfConvention::Dt;
  expectNear(Imported(file.path(), options).outputs(ramp), byDt);
}

TEST(NirNodes, IFWithAndWithoutReset) {
  NirWriter file("if.nir");
  frame(file, 2);
  file.node("x", "IF")
      .set("r", {2}, {1, 1})
      .set("v_threshold", {2}, {2, 2})
      .set("v_reset", {2}, {0.5, -1});
  Rows rows(6, Row{1, 1.5});
  // v: 1, 2, 3! -> 0.5, 1.5, 2.5! -> 0.5, 1.5 | 1.5, 3! -> -1, .5, 2, 3.5!, .5
  expectNear(Imported(file.close()).outputs(rows),
             {{0, 0}, {0, 1}, {1, 0}, {0, 0}, {1, 1}, {0, 0}});
  NirWriter plain("if_plain.nir");
  frame(plain, 2);
  plain.node("x", "IF").scalar("r", 1).scalar("v_threshold", 2);
  expectNear(Imported(plain.close()).outputs(rows),
             {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {0, 0}, {1, 1}});
  nir::NirOptions subtract;
  subtract.reset = nir::Reset::Subtract;
  // second: 1.5, 3!-2 = 1, 2.5!, 2, 3.5!, 3!
  expectNear(Imported(plain.path(), subtract).outputs(rows),
             {{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 1}});
}

/// One Euler step, exact step, or exponential decay of a leaky variable.
static double leaky(nir::Integrator integrator, double v, double leak,
                    double drive, double h) {
  switch (integrator) {
  case nir::Integrator::Mixed: // not of a current
    break;
  case nir::Integrator::Euler:
    return v + h * (leak + drive - v);
  case nir::Integrator::Exact:
    return leak + drive + (v - leak - drive) * std::exp(-h);
  case nir::Integrator::ExpDecay:
    return leak + (v - leak) * std::exp(-h) + h * drive;
  }
  return 0;
}

TEST(NirNodes, LIInAllIntegrators) {
  NirWriter file("li.nir");
  frame(file, 2);
  file.node("x", "LI")
      .set("tau", {2}, {0.004, 0.01})
      .set("r", {2}, {2, 0.5})
      .set("v_leak", {2}, {0.25, 0});
  file.close();
  for (auto integrator : {nir::Integrator::Euler, nir::Integrator::Exact,
                          nir::Integrator::ExpDecay}) {
    nir::NirOptions options = withDt(1e-3);
    options.integrator = integrator;
    Rows expected;
    Row v = {0, 0};
    for (const Row &x : ramp) {
      v = {leaky(integrator, v[0], 0.25, 2 * x[0], 1e-3 / 0.004),
           leaky(integrator, v[1], 0, 0.5 * x[1], 1e-3 / 0.01)};
      expected.push_back(v);
    }
    expectNear(Imported(file.path(), options).outputs(ramp), expected);
  }
}

TEST(NirNodes, TimeUnitsAgree) {
  Rows expected;
  for (auto [unit, tau] :
       {std::make_pair("s", 0.004), std::make_pair("ms", 4.0),
        std::make_pair("steps", 4.0)}) {
    NirWriter file(std::string("unit_") + unit + ".nir");
    frame(file, 2);
    file.node("x", "LI").scalar("tau", tau).scalar("r", 1).scalar("v_leak", 0);
    nir::NirOptions options;
    nir::setOption(options, "time-unit", unit);
    if (options.timeUnit != nir::TimeUnit::Steps)
      nir::setOption(options, "dt", "0.001");
    Rows found = Imported(file.close(), options).outputs(ramp);
    if (expected.empty())
      expected = found;
    expectNear(found, expected);
  }
  EXPECT_NEAR(expected[0][0], 0.25, 1e-15);
}

/// The neurons with a current: by hand, with spikes if `theta` is finite.
static Rows cuba(const Rows &rows, double hs, double hm, double wIn, double r,
                 double leak, double theta, double reset) {
  Rows out;
  Row i(rows[0].size(), 0), v = i;
  for (const Row &x : rows) {
    Row y;
    for (size_t n = 0; n < x.size(); ++n) {
      i[n] = i[n] + hs * (wIn * x[n] - i[n]);
      v[n] = v[n] + hm * (leak + r * i[n] - v[n]);
      bool spike = v[n] > theta;
      y.push_back(std::isfinite(theta) ? spike : v[n]);
      if (spike)
        v[n] = reset;
    }
    out.push_back(y);
  }
  return out;
}

TEST(NirNodes, CubaLIAndDefaults) {
  NirWriter file("cubali.nir");
  frame(file, 2);
  file.node("x", "CubaLI")
      .set("tau_syn", {2}, {0.002, 0.002})
      .set("tau_mem", {2}, {0.005, 0.005})
      .set("r", {2}, {3, 3})
      .set("v_leak", {2}, {0.1, 0.1});
  Rows expected = cuba(ramp, 0.5, 0.2, 1, 3, 0.1, INFINITY, 0);
  expectNear(Imported(file.close(), withDt(1e-3)).outputs(ramp), expected);
}

TEST(NirNodes, CubaLIFSharedParametersCollapse) {
  NirWriter file("cubalif.nir");
  frame(file, 2);
  file.gzip(true)
      .node("x", "CubaLIF")
      .set("tau_syn", {2}, {0.002, 0.002})
      .set("tau_mem", {2}, {0.005, 0.005})
      .set("r", {2}, {3, 3})
      .set("v_leak", {2}, {0, 0})
      .set("v_threshold", {2}, {1, 1})
      .set("v_reset", {2}, {-0.5, -0.5})
      .set("w_in", {1}, {4});
  Rows expected = cuba(ramp, 0.5, 0.2, 4, 3, 0, 1, -0.5);
  Imported run(file.close(), withDt(1e-3));
  expectNear(run.outputs(ramp), expected);
  double spikes = 0;
  for (const Row &row : expected)
    spikes += row[0] + row[1];
  EXPECT_GT(spikes, 2);
  std::string text = run.text();
  EXPECT_EQ(text.find("per_neuron"), std::string::npos) << text;
  EXPECT_NE(text.find("reset value"), std::string::npos);
  EXPECT_NE(text.find("dend.output @output = @x"), std::string::npos);
}

/// A read-out whose potential decays by half from where it starts, without an
/// input.
static std::string decaying(const std::string &name, double leak,
                            const std::vector<double> &start) {
  NirWriter file(name);
  frame(file, 2);
  file.node("x", "LI")
      .set("tau", {2}, {2, 2})
      .set("r", {2}, {1, 1})
      .set("v_leak", {2}, {leak, leak});
  if (!start.empty()) {
    file.group("/node/nodes/x/metadata");
    file.numbers("/node/nodes/x/metadata/v_init", {start.size()}, start);
  }
  return file.close();
}

TEST(NirNodes, PotentialsStartWhereTheMetadataSay) {
  nir::NirOptions options;
  options.timeUnit = nir::TimeUnit::Steps;
  const Rows still = {{0, 0}, {0, 0}};
  Imported each(decaying("each.nir", 0, {4, -2}), options);
  expectNear(each.outputs(still), {{2, -1}, {1, -0.5}});
  // Each sample starts there.
  expectNear(each.outputs(still), {{2, -1}, {1, -0.5}});
  Imported one(decaying("one.nir", 0, {8}), options);
  expectNear(one.outputs(still), {{4, 4}, {2, 2}});
  EXPECT_EQ(one.text().find("v_init"), std::string::npos) << one.text();
  Imported zero(decaying("zero.nir", 0, {}), options);
  expectNear(zero.outputs(still), {{0, 0}, {0, 0}});
}

TEST(NirNodes, RefusesStartsThatDoNotFit) {
  EXPECT_NE(refusal(decaying("three.nir", 0, {1, 2, 3}))
                .find("metadata 'v_init', its potential before the first step, "
                      "is expected to be one finite number or one for each of "
                      "its 2 neurons"),
            std::string::npos);
  EXPECT_NE(refusal(decaying("nan.nir", 0, {1, std::nan("")})).find("v_init"),
            std::string::npos);
}

TEST(NirNodes, NorseStartsAtTheLeak) {
  nir::NirOptions options;
  nir::setPreset(options, "norse");
  options.timeUnit = nir::TimeUnit::Steps;
  Imported run(decaying("leak.nir", 3, {}), options);
  expectNear(run.outputs({{0, 0}, {2, 0}}), {{3, 3}, {4, 3}});
  EXPECT_EQ(run.choices().front().second, "norse@1.1");
}

TEST(NirNodes, LIFPerNeuron) {
  NirWriter file("lif.nir");
  frame(file, 2);
  file.stored(H5T_IEEE_F32LE)
      .node("x", "LIF")
      .set("tau", {2}, {4, 8})
      .set("r", {2}, {1, 2})
      .set("v_leak", {2}, {0, 0.5})
      .set("v_threshold", {2}, {0.5, 0.75});
  nir::NirOptions options;
  options.timeUnit = nir::TimeUnit::Steps;
  Rows expected;
  Row v = {0, 0};
  for (const Row &x : ramp) {
    v = {v[0] + 0.25 * (x[0] - v[0]), v[1] + 0.125 * (0.5 + 2 * x[1] - v[1])};
    Row s = {double(v[0] > 0.5), double(v[1] > 0.75)};
    expected.push_back(s);
    v = {s[0] ? 0 : v[0], s[1] ? 0 : v[1]};
  }
  Imported run(file.close(), options);
  expectNear(run.outputs(ramp), expected);
  EXPECT_NE(run.text().find("per_neuron"), std::string::npos);
}

TEST(NirNodes, Conv2dAndPoolsWithScalarsAndStrings) {
  // 2 groups of a channel each; 'same' with an even kernel pads behind.
  NirWriter file("conv.nir");
  file.node("input", "Input").set("shape", {3}, {2, 1, 3});
  file.node("x", "Conv2d")
      .set("weight", {2, 1, 1, 2}, {1, 10, -1, 0.5})
      .set("bias", {2}, {0.25, 0})
      .scalar("stride", 1)
      .scalar("dilation", 1)
      .scalar("groups", 2);
  file.text("/node/nodes/x/padding", "same");
  file.node("output", "Output").set("shape", {3}, {2, 1, 3});
  file.edges({{"input", "x"}, {"x", "output"}});
  Imported conv(file.close());
  expectNear(conv.outputs({{1, 2, 3, 4, 5, 6}}),
             {{21.25, 32.25, 3.25, -1.5, -2, -6}});

  for (const char *kind : {"SumPool2d", "AvgPool2d"}) {
    NirWriter pool("pool.nir");
    pool.node("input", "Input").set("shape", {3}, {1, 2, 3});
    pool.node("x", kind)
        .set("kernel_size", {2}, {2, 2})
        .scalar("stride", 2)
        .set("padding", {2}, {0, 1});
    pool.node("output", "Output").set("shape", {3}, {1, 1, 2});
    pool.edges({{"input", "x"}, {"x", "output"}});
    Imported run(pool.close());
    double share = *kind == 'S' ? 1 : 0.25; // padding counts
    expectNear(run.outputs({{1, 2, 3, 4, 5, 6}}), {{5 * share, 16 * share}});
  }
}

TEST(NirNodes, Conv1dWithStrideAndDilation) {
  NirWriter file("conv1d.nir");
  file.node("input", "Input").set("shape", {2}, {1, 6});
  file.node("x", "Conv1d")
      .set("weight", {1, 1, 2}, {1, 100})
      .set("bias", {1}, {0})
      .set("stride", {1}, {2})
      .scalar("padding", 1)
      .scalar("dilation", 3)
      .scalar("groups", 1)
      .scalar("input_shape", 6);
  file.node("output", "Output").set("shape", {2}, {1, 3});
  file.edges({{"input", "x"}, {"x", "output"}});
  Imported run(file.close());
  expectNear(run.outputs({{1, 2, 3, 4, 5, 6}}), {{300, 502, 4}});
}
