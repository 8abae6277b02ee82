// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traffic on the mesh alone, as CSV. With --reference, every row that a
// cycle-accurate simulator of clocked routers measured (configuration S of
// single-cycle speculative routers) beside ours:
//   build/bin/dendrolith-noc-traffic --reference booksim2_mesh.csv
//   build/bin/dendrolith-noc-traffic --mesh 8x4 --pattern transpose --offered
//   0.2 build/bin/dendrolith-noc-traffic --speed
// or packets that other routers carried, with the times of a chip:
//   build/bin/dendrolith-noc-traffic --packets P.csv --target catalyst-n1
//   --timing packet

#include "tests/bench/NocPackets.h"
#include "tests/bench/NocReference.h"
#include "tests/bench/NocSpeed.h"

#include "targets/loader/Target.h"
#include "targets/support/Error.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

using namespace dendrolith;
using namespace dendrolith::test;

static void printOne(const TrafficCase &traffic) {
  TrafficResult result = measure(traffic);
  std::printf("mesh,pattern,buffer,offered,seed,status,latency,accepted,"
              "routers,most\n%ux%u,%s,%lu,%g,%lu,%s,%.4f,%.5f,%.4f,%lu\n",
              traffic.width, traffic.height, traffic.pattern.c_str(),
              traffic.buffer, traffic.offered, traffic.seed,
              result.stable ? "ok" : "unstable", result.latency,
              result.accepted, result.routers, result.most);
}

int main(int argc, char **argv) {
  CLI::App app("Traffic on the mesh of configuration S");
  TrafficCase traffic;
  std::string mesh = "8x8", reference, packets, target, timing;
  bool speed = false;
  ReferenceOptions options;
  app.add_option("--mesh", mesh, "WxH tiles")->capture_default_str();
  app.add_option("--pattern", traffic.pattern, "uniform, bitcomp or transpose")
      ->capture_default_str();
  app.add_option("--offered", traffic.offered, "Packets per tile and cycle")
      ->check(CLI::Range(0.000001, 1.0))
      ->capture_default_str();
  app.add_option("--buffer", traffic.buffer, "Flits per input buffer")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  app.add_option("--seed", traffic.seed)->capture_default_str();
  app.add_option("--cycles", traffic.measured, "Cycles measured")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  app.add_option("--reference", reference,
                 "CSV of reference rows; exit code 1 if a limit is missed");
  app.add_option("--packets", packets,
                 "CSV of packets; prints when each arrives");
  app.add_option("--target", target, "Chip whose mesh carries the packets")
      ->needs("--packets");
  app.add_option("--timing", timing, "Its timing set")->needs("--target");
  app.add_option("--seeds", options.seeds, "Of ours, for each reference row")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--every", options.every,
                 "Only each N-th latency and overload row")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--speed", speed, "Flits per second, best of five");
  CLI11_PARSE(app, argc, argv);
  try {
    if (std::sscanf(mesh.c_str(), "%ux%u", &traffic.width, &traffic.height) !=
            2 ||
        !traffic.width || !traffic.height || traffic.width > 1024 ||
        traffic.height > 1024)
      throw Error("--mesh: expected WIDTHxHEIGHT of 1 to 1024 tiles, found '" +
                  mesh + "'");
    if (!reference.empty()) {
      options.measured = traffic.measured;
      return compareWithReference(reference, options) ? 0 : 1;
    }
    if (!packets.empty())
      printArrivals(packets,
                    target.empty() ? clockedMesh(traffic.buffer)
                                   : Target::load(target).timing(timing).noc,
                    traffic.width, traffic.height);
    else if (speed)
      printSpeed(traffic);
    else
      printOne(traffic);
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
