// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/CycleEngine.cpp.
// Messages and synaptic operations per second of the cycle engine on loihi1's
// mesh and times, as a table:
//   build/bin/dendrolith-cycle-bench [--ticks N] [--repeat N]
// "run" is a whole run, "step" what a further step costs (a run of twice the
// ticks less one); best of `repeat`.

#include "simulator/Run.h"
#include "targets/support/Error.h"
#include "tests/bench/CycleNetworks.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>

using namespace dendrolith;
using namespace dendrolith::sim;

namespace {

struct Measured {
  double seconds = 1e9;
  uint64_t messages = 0, synops = 0, steps = 0, timePs = 0;
};

Measured run(const test::BenchNetwork &network, const Target &target,
             int repeat, bool verify) {
  Measured best;
  RunOptions options;
  options.verify = verify;
  for (int i = 0; i < repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    RunResult result =
        runCycle(network.program, target, network.inputs, options);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    best.seconds = std::min(best.seconds, seconds);
    CoreCounts total = result.counts.total();
    best.messages = total[Counter::Messages];
    best.synops = total[Counter::SynopsDense] + total[Counter::SynopsSparse];
    best.steps = result.steps;
    best.timePs = result.timePs;
  }
  return best;
}

template <typename Make>
void row(const char *name, const Target &target, uint64_t ticks, int repeat,
         bool verify, Make make) {
  Measured once = run(make(ticks), target, repeat, verify);
  Measured twice = run(make(2 * ticks), target, repeat, verify);
  double more = twice.seconds - once.seconds;
  std::printf("%-28s %9.2f %10.1f %9.2f %9.2f %9.2f %9.2f\n", name,
              double(once.synops) / double(once.messages),
              double(once.timePs) / double(once.steps) / 1e6,
              double(once.messages) / once.seconds / 1e6,
              double(once.synops) / once.seconds / 1e6,
              double(twice.messages - once.messages) / more / 1e6,
              double(twice.synops - once.synops) / more / 1e6);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Speed of the cycle engine");
  uint64_t ticks = 100;
  int repeat = 5;
  std::string only;
  bool verify = false;
  app.add_option("--ticks", ticks)->check(CLI::Range(1, 100000));
  app.add_option("--repeat", repeat)->check(CLI::Range(1, 100));
  app.add_option("--only", only, "Networks whose name contains this");
  app.add_flag("--verify", verify, "The slow honest path");
  CLI11_PARSE(app, argc, argv);
  try {
    Target target = Target::load("loihi1");
    std::printf("%-28s %9s %10s %9s %9s %9s %9s\n", "", "synops/", "simulated",
                "run", "run", "step", "step");
    std::printf("%-28s %9s %10s %9s %9s %9s %9s\n", "network", "message",
                "us/step", "Mmsg/s", "Msynop/s", "Mmsg/s", "Msynop/s");
    auto one = [&](const char *name, auto make) {
      if (std::string(name).find(only) != std::string::npos)
        row(name, target, ticks, repeat, verify, make);
    };
    using namespace test;
    one("random, 1k, fan-out 100",
        [](uint64_t t) { return randomNetwork(1000, 100, t); });
    one("random, 10k, fan-out 100",
        [](uint64_t t) { return randomNetwork(10000, 100, t); });
    one("layers, lists of 34",
        [](uint64_t t) { return layeredNetwork(8, 2048, 4, 34, t); });
    one("layers, lists of 64",
        [](uint64_t t) { return layeredNetwork(8, 2048, 4, 64, t); });
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
