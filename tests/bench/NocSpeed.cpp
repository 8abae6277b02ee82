// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/bench/NocSpeed.h"

#include "simulator/timing/systemc/CoreModel.h"
#include "simulator/timing/workers/Worker.h"
#include "targets/support/Error.h"

#include <systemc>

#include <cstdlib>
#include <cstring>
#include <ctime>

namespace dendrolith::test {

using namespace sim;

namespace {

enum class Clock { Loop, EveryInstant, Ahead };

class TrafficModule : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(TrafficModule);
  TrafficModule(const sc_core::sc_module_name &name, NocExperiment &traffic,
                uint64_t ahead)
      : sc_module(name), traffic(traffic), ahead(ahead) {
    SC_METHOD(run);
  }

private:
  void run() {
    if (ahead)
      traffic.advanceUntil(now() + ahead);
    else if (traffic.nextTime() == now())
      traffic.advance();
    if (traffic.nextTime() == never)
      sc_core::sc_stop();
    else
      next_trigger(picoseconds(traffic.nextTime() - now()));
  }

  NocExperiment &traffic;
  const uint64_t ahead; // ps
};

struct Speed {
  double seconds = 0;
  uint64_t flits = 0, visits = 0;
};

/// In a process of its own: SystemC elaborates once.
Speed run(const TrafficCase &traffic, Clock clock) {
  std::string bytes = inWorker(
      [&](const Progress &) {
        NocExperiment experiment(traffic);
        FlitMesh &mesh = experiment.network();
        mesh.countHops(false);
        // Processor time: what else the machine does is not measured.
        const std::clock_t start = std::clock();
        if (clock == Clock::Loop) {
          experiment.advanceUntil(never);
        } else {
          setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
          sc_core::sc_report_handler::set_actions(sc_core::SC_INFO,
                                                  sc_core::SC_DO_NOTHING);
          sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
          TrafficModule module("traffic", experiment,
                               clock == Clock::Ahead ? 1000000000 : 0);
          sc_core::sc_start();
        }
        Speed speed;
        speed.seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
        speed.flits = experiment.result().arrived;
        for (uint32_t tile = 0; tile < mesh.numTiles(); ++tile)
          for (uint32_t port = 0; port < FlitMesh::NumPorts; ++port)
            speed.visits += mesh.link(tile, FlitMesh::Port(port)).flits;
        return std::string(reinterpret_cast<const char *>(&speed),
                           sizeof speed);
      },
      {});
  Speed speed;
  if (bytes.size() != sizeof speed)
    throw Error("the worker's answer is incomplete");
  std::memcpy(&speed, bytes.data(), sizeof speed);
  return speed;
}

} // namespace

void printSpeed(const TrafficCase &traffic) {
  static const std::pair<Clock, const char *> clocks[] = {
      {Clock::Loop, "loop"},
      {Clock::EveryInstant, "systemc, every instant"},
      {Clock::Ahead, "systemc, ahead by 1 ms"}};
  std::printf("mesh,pattern,buffer,offered,time kept by,M flits/s,M router "
              "visits/s\n");
  for (auto [clock, name] : clocks) {
    Speed best;
    for (int i = 0; i < 5; ++i) {
      Speed one = run(traffic, clock);
      if (i == 0 || one.seconds < best.seconds)
        best = one;
    }
    std::printf("%ux%u,%s,%lu,%g,%s,%.2f,%.1f\n", traffic.width, traffic.height,
                traffic.pattern.c_str(), traffic.buffer, traffic.offered, name,
                double(best.flits) / best.seconds / 1e6,
                double(best.visits) / best.seconds / 1e6);
  }
}

} // namespace dendrolith::test
