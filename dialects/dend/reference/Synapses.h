// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a source's value adds to the sums of its targets.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_SYNAPSES_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_SYNAPSES_H

#include "dialects/dend/reference/Connections.h"
#include "dialects/dend/reference/Frame.h"

namespace dendrolith::dend {

/// What has arrived at a port and waits for an update, one sum per target
/// element. Fixed-point sums are kept modulo 2^64 and narrowed when read.
struct Arrivals {
  std::vector<double> real;
  std::vector<uint64_t> raw;
};

/// One list of synapses per source.
class Synapses {
public:
  explicit Synapses(Connections connections);

  /// Adds weight * value (integers: << shift, or >> productShift in 16 bits) of
  /// every source that is not zero, sources ascending. `to` may be empty:
  /// nothing has arrived yet.
  void send(const PopulationValue &source, Arrivals &to) const;

private:
  struct Synapse {
    uint32_t target, weight; // indices
  };
  uint64_t term(int64_t weight, int64_t value) const;

  Connections connections;
  std::vector<std::vector<Synapse>> bySource;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_SYNAPSES_H
