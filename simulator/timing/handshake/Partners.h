// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partners of an endpoint are those with which it exchanges messages, in
// either direction. They follow from the program, whatever is sent in a run.
// With a local barrier partners wait for each other.

#ifndef DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_PARTNERS_H
#define DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_PARTNERS_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// Endpoints are the used cores by their index, then the host, which sends the
/// inputs and takes the outputs.
class Partners {
public:
  struct Partner {
    uint32_t endpoint = 0;
    uint64_t delay = 0; // ps that a done message takes from one to the other
  };
  Partners(const Machine &machine, const Target &target,
           const TimingSet &timing);

  uint32_t endpoints() const { return static_cast<uint32_t>(begin.size() - 1); }
  /// The partners of an endpoint, rising. It is none of them itself.
  Span<Partner> of(uint32_t endpoint) const {
    return {all.data() + begin[endpoint], all.data() + begin[endpoint + 1]};
  }

private:
  std::vector<Partner> all;
  std::vector<size_t> begin; // by endpoint, and the end
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_HANDSHAKE_PARTNERS_H
