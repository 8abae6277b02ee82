// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer network as processes of Lava.
//
// Lava: Intel's framework for neuromorphic computing,
// https://github.com/lava-nc/lava

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTNETWORK_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTNETWORK_H

#include "compiler/lava/lava.pb.h"
#include "dialects/dend/Dend.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::lava {

// Turns logical delays into Lava's steps. A synapse process hands on in the
// next step what it received in this one, so a projection of logical delay 0
// arrives a step late; every other path to the same neurons, and everything
// behind them, is then held back too.

struct TimedEdge {
  unsigned from = 0, to = 0;
  int64_t delay = 0; // logical
  int64_t least = 1; // steps that it takes: 1, or 0 for a direct connection
};

/// The smallest latency of each node, in steps by which it lags behind the
/// inputs (which have none): f_to - f_from + delay >= least for every edge.
/// Throws Error naming the nodes of a cycle whose delays are too small.
std::vector<int64_t> retime(const std::vector<std::string> &names,
                            const std::vector<TimedEdge> &edges);

/// Populations become the Lava process that computes the same integers, others
/// `dendrolith_lava.population.Population` with their step body; with
/// `stockOnly` those are refused by name. Projections become synapse processes.
/// The outputs lag by their `latency` in steps, and hold the
/// values of the same ticks.
///
/// Throws Error, naming population or projection: ticks of a divided clock that
/// do not fit into a body, cycles shorter than their synapse layers, delays and
/// sums beyond Lava's, operations without an integer meaning.
Model exportNetwork(dend::NetworkOp network, bool stockOnly);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTNETWORK_H
