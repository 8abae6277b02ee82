// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixed-function neuron against two independent sources: numbers of Lava's
// LIF process in fixed point, and of the NengoLoihi emulator.

#include "runtime/arrays/Npy.h"
#include "tests/dialects/dend/reference/Support.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace dendrolith::dend::test {
namespace {

struct Settings {
  int64_t decayU = 0, decayV = 0, threshold = 0;
  Ints bias;              // one per neuron
  std::string attributes; // of the op, in braces or empty
};

std::string list(const Ints &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

/// The op's neuron, its constants, and a population of one per bias.
std::string neurons(const Settings &s) {
  int64_t count = int64_t(s.bias.size());
  return "dend.clock @step\n" +
         constant("du", "i32", std::to_string(s.decayU)) + "\n" +
         constant("dv", "i32", std::to_string(s.decayV)) + "\n" +
         constant("theta", "i32", std::to_string(s.threshold)) + "\n" +
         constant("b", "i32", list(s.bias), count) + R"(
    dend.neuron @lif ports(%a : !dend.fx<64, 0>)
        params(%du : i32, %dv : i32, %theta : i32, %bias : i32 per_neuron)
        states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample, %r : i32 reset sample)
        outputs(s : !dend.spike<binary>) {
      %s, %u1, %v1, %r1 = dend.cuba %a, %u, %v, %r decay %du, %dv threshold %theta bias %bias )" +
         s.attributes +
         R"( : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32)
          -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
      dend.yield states(%u1, %v1, %r1 : !dend.fx<32, 0>, !dend.fx<32, 0>, i32) emit(%s : i1)
    }
    dend.population @N : @lif[)" +
         std::to_string(count) +
         "] on @step bind {du = @du, dv = @dv, theta = @theta, bias = @b}\n";
}

/// Synaptic sums `a` before the shift by 6, as Lava's ports take them.
std::string lava(const Settings &s) {
  std::string count = std::to_string(s.bias.size());
  return neurons(s) + "dend.input @a on @step : tensor<" + count +
         "xi32> as !dend.spike<int, -2000000, 2000000>\n"
         "dend.project @a -> @N[\"a\"] #dend.diagonal shift 6\n";
}

struct Trace {
  Ints u, v, s;
};

Trace traceOf(const std::string &text, const std::vector<Reals> &inputs) {
  Trace trace;
  Loaded loaded(text);
  if (!loaded) {
    ADD_FAILURE() << loaded.errors;
    return trace;
  }
  for (const Reals &input : inputs) {
    loaded->tick({{"a", input}});
    for (auto [to, from] : {std::pair(&trace.u, &loaded->state("N", "u")),
                            std::pair(&trace.v, &loaded->state("N", "v")),
                            std::pair(&trace.s, &loaded->emission("N"))})
      to->insert(to->end(), from->raw.begin(), from->raw.end());
  }
  return trace;
}

TEST(Cuba, lavaExample) {
  Trace t = traceOf(lava({409, 819, 20 << 6, {5 << 4}, ""}),
                    {{10}, {0}, {-7}, {20}, {0}, {30}, {0}, {0}});
  EXPECT_EQ(t.u, (Ints{640, 575, 69, 1342, 1207, 3006, 2705, 2434}));
  EXPECT_EQ(t.v, (Ints{720, 1231, 1133, 0, 0, 0, 0, 0}));
  EXPECT_EQ(t.s, (Ints{0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST(Cuba, lavaWrapsTheCurrentAndClipsThePotential) {
  Settings settings{0, 0, 131071 << 6, {-1}, ""};
  Trace t = traceOf(lava(settings), {{131071},
                                     {131071},
                                     {131071},
                                     {-131072},
                                     {-131072},
                                     {-131072},
                                     {-131072}});
  EXPECT_EQ(t.u,
            (Ints{8388544, -2176, 8386369, -4287, 8384323, -6332, 8382278}));
  EXPECT_EQ(t.v, (Ints{8388543, 8386366, 0, -4288, 8380034, 8373701, 0}));
  EXPECT_EQ(t.s, (Ints{0, 0, 1, 0, 0, 0, 1}));
}

TEST(Cuba, currentRangeIsOpenAtOneEnd) {
  Settings settings{0, 0, 131071 << 6, {0}, ""};
  // 131072 << 6 = 2^23 and its negative are one number modulo 2^24.
  EXPECT_EQ(traceOf(lava(settings), {{131072}}).u, (Ints{8388608}));
  EXPECT_EQ(traceOf(lava(settings), {{-131072}}).u, (Ints{8388608}));
  settings.attributes = "{wrap = #dend<wrap_range open_high>}";
  EXPECT_EQ(traceOf(lava(settings), {{131072}}).u, (Ints{-8388608}));
  EXPECT_EQ(traceOf(lava(settings), {{-131072}}).u, (Ints{-8388608}));
}

TEST(Cuba, currentWrapsInItsBits) {
  Settings settings{0, 0, 131071 << 6, {0}, "{current_bits = 16 : i64}"};
  EXPECT_EQ(traceOf(lava(settings), {{512}}).u, (Ints{32768}));
  EXPECT_EQ(traceOf(lava(settings), {{513}}).u, (Ints{32832 - 65536}));
  settings.attributes =
      "{current_bits = 16 : i64, wrap = #dend<wrap_range open_high>}";
  EXPECT_EQ(traceOf(lava(settings), {{511}}).u, (Ints{32704}));
  EXPECT_EQ(traceOf(lava(settings), {{512}}).u, (Ints{-32768}));
  settings.attributes =
      "{current_bits = 32 : i64, wrap = #dend<wrap_range open_high>}";
  EXPECT_EQ(traceOf(lava(settings), {{1 << 20}}).u, (Ints{1 << 26}));
}

TEST(Cuba, decayOfMinusOneKeepsTheCurrent) {
  EXPECT_EQ(traceOf(lava({-1, 4096, 131071 << 6, {0}, ""}), {{-3}, {0}, {0}}).u,
            (Ints{-192, -192, -192}));
  // decay_v 4096 keeps nothing of the potential.
  EXPECT_EQ(traceOf(lava({-1, 4096, 131071 << 6, {0}, ""}), {{-3}, {0}, {0}}).v,
            (Ints{-192, -192, -192}));
}

TEST(Cuba, attributes) {
  Settings settings{4095, 0, 100, {0}, "{silent}"};
  Trace t = traceOf(lava(settings), {{1}, {1}, {1}});
  EXPECT_EQ(t.v, (Ints{64, 128, 192}));
  EXPECT_EQ(t.s, (Ints{0, 0, 0}));
  settings.attributes = "{vmin = -100 : i64, vmax = 90 : i64}";
  EXPECT_EQ(traceOf(lava(settings), {{1}, {1}, {-9}}).v, (Ints{64, 90, -100}));
  // 65 << 6 = 4160 is 64 modulo 2^12, 32 << 6 is the open end of 11 bits.
  settings.attributes = "{input_wrap_bits = 11 : i64}";
  EXPECT_EQ(traceOf(lava(settings), {{65}, {32}, {-32}}).u,
            (Ints{64, 2048, 2048}));
  settings = {0, 0, 8388607, {8388607}, "{bias_wrap}"};
  EXPECT_EQ(traceOf(lava(settings), {{1}}).v, (Ints{8388607 + 64 - 16777216}));
  settings.attributes = "";
  EXPECT_EQ(traceOf(lava(settings), {{1}}).v, (Ints{8388607}));
}

TEST(Cuba, refractoryTimeHoldsThePotentialAtZero) {
  // Bias 64 crosses 100 at every second free step.
  Settings settings{4095, 0, 100, {64}, ""};
  std::vector<Reals> silence(8, Reals{0});
  EXPECT_EQ(traceOf(lava(settings), silence).s, (Ints{0, 1, 0, 1, 0, 1, 0, 1}));
  settings.attributes = "{refractory = 1 : i64}";
  EXPECT_EQ(traceOf(lava(settings), silence).s, (Ints{0, 1, 0, 1, 0, 1, 0, 1}));
  settings.attributes = "{refractory = 3 : i64}";
  EXPECT_EQ(traceOf(lava(settings), silence).s, (Ints{0, 1, 0, 0, 0, 1, 0, 0}));
}

// Attributes of the emulator: 21-bit input, [-2^23, 2^23), the sum with the
// bias wrapped too, vmin 0, refractory 2. The thresholds, weights and biases
// are what its discretiser made of a block with tau_s 5 ms, tau_rc 20 ms.
const char *kEmulator =
    "{input_wrap_bits = 21 : i64, wrap = #dend<wrap_range open_high>, "
    "bias_wrap, vmin = 0 : i64, refractory = 2 : i64}";

TEST(Cuba, emulatorWithSpikesIn) {
  std::string text = neurons({741, 200, 6149696, {0, 0}, kEmulator}) + R"(
    dend.constant @W : tensor<2x2xi32> = dense<[[5376, 16256], [-10880, 2688]]> : tensor<2x2xi32>
    dend.input @a on @step : tensor<2xi1> as !dend.spike<binary>
    dend.project @a -> @N["a"] #dend.dense weight @W delay 1)";
  std::vector<Reals> spikes(10, Reals{0, 0});
  spikes[0] = {1, 1};
  spikes[2] = {0, 1};
  spikes[3] = {1, 0};
  Trace t = traceOf(text, spikes);
  Ints u0, u1, v0, v1;
  for (size_t i = 0; i + 1 < t.u.size(); i += 2) {
    u0.push_back(t.u[i]);
    u1.push_back(t.u[i + 1]);
    v0.push_back(t.v[i]);
    v1.push_back(t.v[i + 1]);
  }
  EXPECT_EQ(u0, (Ints{0, 21632, 17713, 30760, 30563, 25026, 20492, 16779, 13739,
                      11250}));
  EXPECT_EQ(u1, (Ints{0, -8192, -6708, -2804, -13176, -10789, -8834, -7233,
                      -5922, -4849}));
  EXPECT_EQ(v0, (Ints{0, 21632, 38288, 67178, 94460, 114873, 129755, 140198,
                      147091, 151158}));
  EXPECT_EQ(v1, Ints(10, 0));
}

TEST(Cuba, emulatorDrivenByItsBias) {
  Settings settings{741, 200, 3074816, {450432, 225216}, kEmulator};
  Trace t = traceOf(lava(settings), std::vector<Reals>(48, Reals{0, 0}));
  Ints rise, first, second;
  for (int64_t step = 1; step <= 48; ++step) {
    size_t at = 2 * size_t(step - 1);
    if (step <= 8)
      rise.push_back(t.v.at(at));
    if (t.s.at(at))
      first.push_back(step);
    if (t.s.at(at + 1))
      second.push_back(step);
  }
  EXPECT_EQ(rise, (Ints{450432, 878870, 1286388, 1674008, 2042701, 2393391,
                        2726958, 3044237}));
  EXPECT_EQ(first, (Ints{9, 19, 29, 39}));
  EXPECT_EQ(second, (Ints{22, 45}));
}

// Every LIF case recorded from Lava: all states and spikes at every step.
TEST(Cuba, lavaRecordings) {
  const char *configured = std::getenv("DENDROLITH_SHARED");
  std::filesystem::path base = configured ? configured : DENDROLITH_SHARED_DIR;
  std::filesystem::path arrays = base / "data/lava/process_golden.npz";
  if (!std::filesystem::exists(arrays))
    GTEST_SKIP() << "skipped: the recordings are not beside the checkout";
  nlohmann::json cases = nlohmann::json::parse(
      std::ifstream(base / "data/lava/process_golden.json"));
  std::map<std::string, Array> npz = loadNpz(arrays.string());
  size_t compared = 0;
  for (const auto &[name, arguments] : cases.items()) {
    if (name.rfind("LIF", 0) != 0)
      continue;
    Settings settings;
    settings.decayU = arguments.at("du");
    settings.decayV = arguments.at("dv");
    settings.threshold = arguments.at("vth").get<int64_t>() << 6;
    for (size_t i = 0; i < arguments.at("bias_mant").size(); ++i) {
      int64_t mantissa = arguments.at("bias_mant")[i];
      int64_t exponent = arguments.at("bias_exp")[i];
      // Python's >> of a negative number rounds down.
      double scaled = std::floor(std::ldexp(double(mantissa), int(exponent)));
      settings.bias.push_back(int64_t(scaled));
    }
    const Array &in = npz.at(name + "/in/a_in"), &out = npz.at(name + "/out");
    const Array &u = npz.at(name + "/state/u"), &v = npz.at(name + "/state/v");
    size_t count = in.shape.at(0), steps = in.shape.at(1);
    ASSERT_EQ(count, settings.bias.size());
    std::vector<Reals> inputs(steps, Reals(count));
    for (size_t t = 0; t < steps; ++t)
      for (size_t n = 0; n < count; ++n)
        inputs[t][n] = in.value(n * steps + t);
    Trace trace = traceOf(lava(settings), inputs);
    ASSERT_EQ(trace.u.size(), steps * count);
    for (size_t t = 0; t < steps; ++t)
      for (size_t n = 0; n < count; ++n) {
        size_t at = t * count + n;
        ASSERT_EQ(double(trace.u[at]), u.value(at)) << name << " step " << t;
        ASSERT_EQ(double(trace.v[at]), v.value(at)) << name << " step " << t;
        ASSERT_EQ(double(trace.s[at]), out.value(n * steps + t))
            << name << " step " << t;
        ++compared;
      }
  }
  EXPECT_GT(compared, 0u);
  RecordProperty("compared", int(compared));
}

} // namespace
} // namespace dendrolith::dend::test
