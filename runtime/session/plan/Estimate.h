// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a network would take on a chip, by the statistics of random synapses
// alone: how many cores hold it, what they send each other, how long a step is.

#ifndef DENDROLITH_RUNTIME_SESSION_PLAN_ESTIMATE_H
#define DENDROLITH_RUNTIME_SESSION_PLAN_ESTIMATE_H

#include "runtime/session/plan/Description.h"
#include "targets/loader/Target.h"

#include <array>
#include <map>
#include <optional>
#include <set>

namespace dendrolith::plan {

/// What a core would hold of one population, on average.
struct CoreLoad {
  double neurons = 0, cores = 0;
  double words = 0, inAxons = 0, outAxons = 0;
  double destinations = 0; // cores that a spike of one neuron goes to
  std::string bound;       // the limit that stops more neurons; may be empty
};

/// A limit that not even one neuron of a population keeps.
struct Misfit {
  std::string population, limit;
  double needed = 0;
  uint64_t available = 0;
};

struct ChipPlan {
  std::vector<CoreLoad> loads; // by part; of inputs only `destinations`
  std::vector<Misfit> misfits;
  double cores = 0, chips = 0;
  /// Cores that each limit would ask for alone.
  std::map<std::string, double> coresByLimit;
  double spikes = 0, messages = 0, operations = 0; // of a step
  bool programs = false; // whether the chip's neurons are programs
  double updateNs = 0, receiveNs = 0, barrierNs = 0, stepNs = 0;
};

struct ChipQuestion {
  std::set<std::string> ignored; // limits
  std::optional<uint64_t> cores; // as many, instead of the fewest
  std::string timing;            // empty: the target's own
};

/// Throws Error for a limit or a timing set that there is not.
ChipPlan planChip(const Description &network, const Target &target,
                  const ChipQuestion &question);

} // namespace dendrolith::plan

#endif // DENDROLITH_RUNTIME_SESSION_PLAN_ESTIMATE_H
