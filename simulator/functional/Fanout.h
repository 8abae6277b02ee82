// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that one emission adds, in one place in memory. Serving messages list by
// list, as a chip does, costs several cache misses for each short list; an
// engine without a clock may instead walk one row per source. Long dense lists
// stay lists: they are contiguous already.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_FANOUT_H
#define NEURITE_SIMULATOR_FUNCTIONAL_FANOUT_H

#include "simulator/functional/State.h"

#include <cstdint>
#include <vector>

namespace neurite::sim {

class Fanout {
public:
  explicit Fanout(const Machine &machine);

  /// The same as Accumulators::deliver() for each message of `source`.
  void send(uint32_t source, int64_t payload, uint64_t step,
            Accumulators &accumulators) const;

private:
  /// Entries of one source with one delay, or one in-axon to serve as a list.
  struct Run {
    uint64_t first = 0;
    uint32_t count = 0; // 0 = serve in-axon `first`
    uint32_t delay = 0;
  };

  void addSource(uint32_t source);

  const Machine &machine;
  std::vector<uint64_t> runBegin = {0}; // sources + 1
  std::vector<Run> runs;
  std::vector<Accumulators::Entry> entries;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_FANOUT_H
