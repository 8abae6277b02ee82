// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long neurons take to update in each sampled tick. A neuron without input
// and with nothing in its states is visited more cheaply, so that it matters
// which neurons are active.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_VISITS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_VISITS_H

#include "compiler/mapping/objective/ChipModel.h"
#include "compiler/mapping/objective/StepClock.h"

namespace dendrolith {

class Visits {
public:
  /// A neuron counts as active from the first tick of a sample on in which one
  /// of its sources reaches it: leaks take longer than most samples to end.
  /// `network`, `clock` and `model` must outlive this.
  Visits(const MapNetwork &network, const StepClock &clock,
         const ChipModel &model);

  /// What neurons [first, end) of a population take, by bit of the tick: ps and
  /// pJ.
  struct Load {
    std::array<double, 64> time{}, energy{};
  };
  Load of(uint32_t population, uint32_t first, uint32_t end) const;

  /// ps of one neuron in the tick of `bit`.
  double time(uint32_t population, uint32_t neuron, uint32_t bit) const;

  /// ps per step of one neuron, on average.
  double meanTime(uint32_t population, uint32_t neuron) const;

private:
  void findActive();
  uint64_t activeTicks(uint32_t population, uint32_t neuron) const {
    return active.empty() ? ~uint64_t(0) : active[population][neuron];
  }

  const MapNetwork &network;
  const StepClock &clock;
  const ChipModel &model;
  // By population and neuron, the ticks; empty where it makes no difference.
  std::vector<std::vector<uint64_t>> active;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_VISITS_H
