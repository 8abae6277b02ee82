// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the neurons of one rank emit in a step, sent to the ranks whose cores it
// reaches. A spike without a payload takes four bytes.

#ifndef DENDROLITH_SIMULATOR_RANKS_EXCHANGE_H
#define DENDROLITH_SIMULATOR_RANKS_EXCHANGE_H

#include "runtime/host/Ranks.h"
#include "simulator/events/EventCounter.h"
#include "simulator/functional/delivery/Traffic.h"
#include "simulator/functional/machine/Inputs.h"
#include "simulator/record/Recorder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::sim {

class Exchange {
public:
  /// `own` has the messages that reach this rank's cores, and with `all` this
  /// rank hears of every emission. Every rank calls it: they tell each other
  /// which sources they wait for.
  Exchange(Ranks &ranks, const Machine &machine, const Traffic &own, bool all);

  /// Begins to send what this rank's neurons have emitted in a step.
  void begin(const std::vector<Injection> &emitted);
  /// What the other ranks' have, in the order of ranks: the same in every run.
  const std::vector<Injection> &end();

private:
  bool wants(unsigned rank, uint32_t source) const {
    return wanted[rank][source / 8] >> source % 8 & 1;
  }

  Ranks &ranks;
  std::vector<std::string> wanted; // by rank: a bit for each source
  std::vector<std::string> to, from;
  std::vector<std::vector<uint32_t>> spikes; // by rank, while begin() runs
  std::vector<std::vector<Injection>> values;
  std::vector<Injection> heard;
};

// What ranks have counted and recorded, brought to the first one. Each neuron
// is on one rank, so what several ranks have of one array are numbers beside
// zeros, and their sum is what a single process would have written.

/// The first rank's counter gets what the others' have counted, which are empty
/// afterwards.
void gather(Ranks &ranks, const Machine &machine, EventCounter &events);

/// The first rank's recorder gets all that the others' have of `samples`.
void gather(Ranks &ranks, Recorder &recorder, uint64_t samples);

/// The program as far as the times of its messages need it: of all cores the
/// in-axons are there, but of their synapses only how many they are, and how
/// they lie. Each rank tells the others so of its own cores.
image::Program servedProgram(Ranks &ranks, const image::Program &program,
                             const std::vector<CoreShare> &shares);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RANKS_EXCHANGE_H
