// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/CoreShares.h"

#include "runtime/host/Workers.h"
#include "runtime/image/Tables.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dendrolith::sim {

/// How much there is to do on a core in a step, by its size alone, in synapses.
/// In-axons count what they reach. A neuron, which is visited in every step,
/// counts as many as stand for that where a few percent of all sources emit.
static uint64_t coreWork(const image::Core &core) {
  constexpr uint64_t kNeuron = 32;
  const uint64_t lists = countRows(core.synapses().lists());
  uint64_t work = 0;
  if (lists > 0) // which in-axons share
    work = countRows(core.in_axons()) * countRows(core.synapses().weights()) /
           lists;
  for (const image::Group &group : core.groups())
    work += kNeuron * group.count();
  return work;
}

/// Cuts units in their order, with so much work each, into `shares`, of which
/// there are no more than units. Returns the ends of the shares.
static std::vector<size_t> endsOfShares(const std::vector<uint64_t> &work,
                                        size_t shares) {
  const uint64_t all = std::accumulate(work.begin(), work.end(), uint64_t(0));
  std::vector<size_t> ends;
  uint64_t done = 0;
  for (size_t s = 0, unit = 0; s < shares; ++s) {
    const size_t first = unit, most = work.size() - (shares - 1 - s);
    // A unit that lies across the border belongs where most of it lies.
    while (unit < most && (unit == first || (2 * done + work[unit]) * shares <=
                                                2 * all * (s + 1)))
      done += work[unit++];
    ends.push_back(unit);
  }
  ends.back() = work.size();
  return ends;
}

std::vector<CoreShare> shareCores(const image::Program &program,
                                  CoreShare cores, unsigned shares) {
  std::vector<uint64_t> work;
  for (uint32_t c = cores.first; c < cores.end; ++c)
    work.push_back(coreWork(program.cores(static_cast<int>(c))));
  std::vector<CoreShare> parts;
  uint32_t first = cores.first;
  for (size_t end : endsOfShares(
           work,
           std::clamp<size_t>(shares, 1, std::max<size_t>(work.size(), 1)))) {
    parts.push_back({first, cores.first + static_cast<uint32_t>(end)});
    first = parts.back().end;
  }
  return parts;
}

std::vector<CoreShare> shareChips(const std::vector<CoreWork> &cores,
                                  const Mesh &mesh, unsigned processes) {
  if (cores.size() < processes)
    throw Error(fmt::format("expected at most one process for each core in "
                            "use, of which there are {}, found {} processes",
                            cores.size(), processes));
  const auto chipOf = [&](size_t core) {
    return mesh.chipOf(cores[core].id / mesh.coresPerTile);
  };
  std::vector<uint32_t> chips; // in use, the end of the cores of each
  for (uint32_t c = 0; c < cores.size(); ++c)
    if (c + 1 == cores.size() || chipOf(c + 1) != chipOf(c))
      chips.push_back(c + 1);
  std::vector<uint32_t> each; // core, of which some may have to share a chip
  for (uint32_t c = 0; c < cores.size(); ++c)
    each.push_back(c + 1);
  const std::vector<uint32_t> &ends = chips.size() < processes ? each : chips;
  std::vector<uint64_t> work;
  uint32_t core = 0;
  for (uint32_t end : ends) {
    work.push_back(1); // to be shared evenly where there is nothing to do
    for (; core < end; ++core)
      work.back() += cores[core].work;
  }
  std::vector<CoreShare> parts;
  for (size_t end : endsOfShares(work, processes))
    parts.push_back({parts.empty() ? 0 : parts.back().end, ends[end - 1]});
  return parts;
}

unsigned sharesWorth(const image::Program &program,
                     const std::map<std::string, Samples> &inputs,
                     unsigned asked) {
  constexpr uint64_t kEnough = uint64_t(1) << 20;
  const unsigned threads = workersFor(asked, UINT64_MAX);
  const uint64_t samples = inputs.empty() ? 1 : inputs.begin()->second.samples;
  if (samples == 0 || samples >= threads)
    return 1;
  uint64_t work = 0;
  for (const image::Core &core : program.cores())
    work += coreWork(core);
  return static_cast<unsigned>(
      std::clamp<uint64_t>(work / kEnough, 1, threads / samples));
}

} // namespace dendrolith::sim
