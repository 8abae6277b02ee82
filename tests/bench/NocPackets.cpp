// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/bench/NocPackets.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "tests/targets/mesh/Traffic.h"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

namespace dendrolith::test {

void printArrivals(const std::string &path, const NocTiming &noc,
                   uint32_t width, uint32_t height) {
  std::istringstream file(readFile(path, 1 << 24));
  std::string line;
  if (!std::getline(file, line) || line != "time_ps,source,destination")
    throw Error(path + ":1: expected 'time_ps,source,destination', found '" +
                line + "'");
  Traffic traffic(noc, width, height);
  uint64_t packets = 0, before = 0;
  while (std::getline(file, line)) {
    unsigned long time = 0;
    unsigned source = 0, destination = 0;
    if (std::sscanf(line.c_str(), "%lu,%u,%u", &time, &source, &destination) !=
            3 ||
        std::max(source, destination) >= width * height || time < before)
      throw Error(fmt::format("{}:{}: expected a time that does not fall and "
                              "two tiles below {}, found '{}'",
                              path, packets + 2, width * height, line));
    traffic.add(source, destination, before = time);
    ++packets;
  }
  traffic.runUntil(never);
  std::vector<uint64_t> times(packets);
  for (const Arrival &arrival : traffic.arrivals)
    times[arrival.message] = arrival.time;
  std::printf("arrival_ps\n");
  for (uint64_t time : times)
    std::printf("%lu\n", time);
}

} // namespace dendrolith::test
