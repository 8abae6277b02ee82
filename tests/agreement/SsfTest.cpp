// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests dialects/dend/reference/EvaluateSsf.cpp,
// simulator/functional/machine/MicroStep.cpp.
// Scaling-shifting integer firing for every 24-bit potential: the reference
// interpreter and the engine's ladder against floor(clip((V - shift) / scale,
// -U, U) / Vth) in whole numbers (MMDEND eq. 17), and against a count of rungs
// where a computed scale is 0 or less.

#include "compiler/pipelines/Compile.h"
#include "dialects/dend/reference/Interpreter.h"
#include "simulator/Run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace dendrolith::test {
namespace {

__extension__ using Wide = __int128;

constexpr int64_t kNeurons = 1 << 16, kTicks = 1 << 8;

struct Firing {
  int64_t shift, scale; // raw
  int64_t u4, vth4;     // U and Vth in quarters
};

std::ostream &operator<<(std::ostream &out, const Firing &f) {
  return out << "shift " << f.shift << " scale " << f.scale << " U "
             << double(f.u4) / 4 << " Vth " << double(f.vth4) / 4;
}

Wide floorDiv(Wide a, Wide b) { return a / b - (a % b != 0 && a < 0); }

/// How many rungs V has reached, one by one.
int64_t counted(int64_t v, const Firing &f) {
  const int64_t most = f.u4 / f.vth4;
  int64_t reached = -most;
  for (int64_t k = 1 - most; k <= most; ++k)
    reached += 4 * (Wide(v) - f.shift) >= Wide(f.scale) * f.vth4 * k;
  return reached;
}

/// Clipping at a multiple of Vth and rounding down commute.
int64_t oracle(int64_t v, const Firing &f) {
  if (f.scale <= 0)
    return counted(v, f);
  Wide s = floorDiv(4 * (Wide(v) - f.shift), Wide(f.scale) * f.vth4);
  Wide most = f.u4 / f.vth4;
  return int64_t(s < -most ? -most : s > most ? most : s);
}

/// Neuron n holds -2^23 + 256 n and counts up by one in each tick. The port,
/// which receives nothing, makes a computed value of the scale.
std::string network(const Firing &f) {
  std::string start, n = std::to_string(kNeurons);
  for (int64_t i = 0; i < kNeurons; ++i)
    start += (i ? "," : "") + std::to_string(-(1 << 23) + kTicks * i);
  std::string units = std::to_string(f.u4 / f.vth4), t = "!dend.fx<24, 0>";
  return "dend.network @ladder {\n dend.clock @t\n"
         " dend.input @x on @t : tensor<1xf64> as !dend.spike<binary>\n"
         " dend.constant @start : tensor<" +
         n + "xi32> = dense<[" + start + "]> : tensor<" + n +
         "xi32>\n dend.neuron @m ports(%I : " + t + ") states(%v : " + t +
         " reset sample init @start) outputs(s : !dend.spike<int, -" + units +
         ", " + units +
         ">) {\n"
         "  %p = dend.literal " +
         std::to_string(f.shift) + " : i64 as " + t + "\n  %r = dend.literal " +
         std::to_string(f.scale) + " : i64 as " + t +
         "\n  %q = dend.add %r, %I : (" + t + ", " + t + ") -> " + t +
         "\n  %one = dend.literal 1 : i64 as " + t +
         "\n  %s = dend.ssf %v shift %p scale %q vth " +
         std::to_string(double(f.vth4) / 4) + " u " +
         std::to_string(double(f.u4) / 4) + " : (" + t + ", " + t + ", " + t +
         ") -> i32\n  %w = dend.add %v, %one : (" + t + ", " + t + ") -> " + t +
         "\n  dend.yield states(%w : " + t +
         ") emit(%s : i32)\n }\n"
         " dend.constant @W : tensor<1x2xi32> = dense<0> : tensor<1x2xi32>\n"
         " dend.constant @w : tensor<1xi8> = dense<1> : tensor<1xi8>\n"
         " dend.population @a : @m[" +
         n +
         "] on @t\n dend.project @x -> @a[\"I\"] #dend.sparse weight @w "
         "indices @W\n dend.output @y = @a[\"s\"]\n}\n";
}

class EveryPotential : public testing::TestWithParam<Firing> {};

TEST_P(EveryPotential, FiresAsInWholeNumbers) {
  const Firing firing = GetParam();
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               (std::to_string(getpid()) + "-ladder.mlir");
  std::ofstream(path) << network(firing);
  Compilation compilation(path.string());
  std::filesystem::remove(path);
  CompileOptions options; // ideal: one core holds all neurons
  compilation.quantise(options);
  auto interpreter = dend::Interpreter::create(compilation.fixedNetwork());
  ASSERT_TRUE(succeeded(interpreter));
  std::vector<int8_t> expected(size_t(kNeurons * kTicks));
  for (int64_t tick = 0; tick < kTicks; ++tick) {
    (*interpreter)->tick({{"x", {0}}});
    const dend::Signal &fired = (*interpreter)->emission("a");
    for (int64_t n = 0; n < kNeurons; ++n) {
      int64_t v = -(1 << 23) + kTicks * n + tick, s = oracle(v, firing);
      ASSERT_EQ(fired.raw[size_t(n)], s) << "reference, V = " << v;
      expected[size_t(tick * kNeurons + n)] = int8_t(s);
    }
  }
  compilation.lower(options);
  Samples x;
  x.samples = 1;
  x.steps = kTicks;
  x.shape = {1};
  x.values = std::vector<double>(kTicks, 0);
  auto run = sim::runFunctional(compilation.emit(), Target::load("ideal"),
                                {{"x", x}}, {});
  const std::vector<double> &fired = run.outputs.at(0).values;
  ASSERT_EQ(fired.size(), expected.size());
  for (size_t i = 0; i < fired.size(); ++i)
    ASSERT_EQ(fired[i], expected[i]) << "engine, place " << i;
}

// Adjacent rungs; the first layer of a trained network (1.184, 0.639 in units
// of 2^-17); ternary with a negative shift; half thresholds; the ends of the
// type; rungs that fall together; rungs that descend.
INSTANTIATE_TEST_SUITE_P(Ladders, EveryPotential,
                         testing::Values(Firing{0, 1, 16, 4},
                                         Firing{155189, 83756, 16, 4},
                                         Firing{-33161, 33423, 4, 4},
                                         Firing{-7000000, 1500001, 16, 2},
                                         Firing{8388607, 8388607, 12, 3},
                                         Firing{-300, 0, 16, 4},
                                         Firing{5000, -1500001, 16, 2}));

} // namespace
} // namespace dendrolith::test
