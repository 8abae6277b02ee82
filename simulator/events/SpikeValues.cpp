// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/SpikeValues.h"

#include <numeric>

namespace dendrolith::sim {

uint64_t SpikeValues::updates() const {
  return std::accumulate(counts.begin(), counts.end(), uint64_t(0));
}

double SpikeValues::share(int64_t value) const {
  uint64_t all = updates();
  if (all == 0 || value < low || value >= low + int64_t(counts.size()))
    return 0;
  return double(counts[static_cast<size_t>(value - low)]) / double(all);
}

} // namespace dendrolith::sim
