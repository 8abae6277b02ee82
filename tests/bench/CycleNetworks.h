// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks for measuring the cycle engine, built as program images: every
// neuron is fired by an input of its own, one in twenty at each tick, so that
// the load is known.

#ifndef DENDROLITH_TESTS_BENCH_CYCLENETWORKS_H
#define DENDROLITH_TESTS_BENCH_CYCLENETWORKS_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"

#include <cstdint>
#include <map>
#include <string>

namespace dendrolith::test {

struct BenchNetwork {
  image::Program program;
  std::map<std::string, Samples> inputs;
};

/// `neurons` over 128 cores, each with `fanout` synapses to targets drawn at
/// random: about as many messages.
BenchNetwork randomNetwork(uint32_t neurons, uint32_t fanout, uint64_t ticks);

/// Layers of `width` neurons over 128 cores; a spike goes to `lists` cores of
/// the next layer and there to `perList` neighbouring targets, as convolutions
/// and dense blocks do.
BenchNetwork layeredNetwork(uint32_t layers, uint32_t width, uint32_t lists,
                            uint32_t perList, uint64_t ticks);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_BENCH_CYCLENETWORKS_H
