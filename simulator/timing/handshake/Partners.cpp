// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/handshake/Partners.h"

#include "targets/mesh/Routing.h"
#include "targets/support/Time.h"

#include <algorithm>
#include <utility>

namespace dendrolith::sim {

/// All pairs of partners, in both directions.
static std::vector<std::pair<uint32_t, uint32_t>>
pairsOf(const Machine &machine) {
  const uint32_t host = static_cast<uint32_t>(machine.cores().size());
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<uint32_t> seenBy(host, UINT32_MAX); // by core, its last sender
  auto join = [&](uint32_t a, uint32_t b) {
    pairs.emplace_back(a, b);
    pairs.emplace_back(b, a);
  };
  auto sends = [&](uint32_t from, uint32_t first, uint64_t sources) {
    for (uint64_t s = 0; s < sources; ++s)
      for (const Machine::Message &to :
           machine.messages(static_cast<uint32_t>(first + s)))
        if (const uint32_t core = machine.coreOf(to);
            core != from && seenBy[core] != from) {
          seenBy[core] = from;
          join(from, core);
        }
  };
  for (const Machine::Input &input : machine.inputs())
    sends(host, input.source, input.sources());
  // A core's groups come one after the other.
  for (const Machine::Group &group : machine.groups()) {
    sends(group.core, group.source, uint64_t(group.count) * group.sources);
    if (!group.outputs.empty())
      join(group.core, host);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

Partners::Partners(const Machine &machine, const Target &target,
                   const TimingSet &timing)
    : begin(machine.cores().size() + 2, 0) {
  auto tileOf = [&](uint32_t endpoint) {
    return endpoint == machine.cores().size()
               ? kHostTile
               : target.tileOf(machine.cores()[endpoint].id);
  };
  for (auto [from, to] : pairsOf(machine)) {
    const Hops hops = hopsBetween(target.mesh, target.mesh.at(tileOf(from)),
                                  target.mesh.at(tileOf(to)));
    all.push_back(
        {to, plus(timing.barrier.base,
                  zeroLoad(timing.noc, hops.ew, hops.ns, hops.crossings))});
    begin[from + 1] = all.size();
  }
  for (size_t e = 1; e < begin.size(); ++e)
    begin[e] = std::max(begin[e], begin[e - 1]);
}

} // namespace dendrolith::sim
