// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program images made by hand: declare populations, cores and groups, then
// join them with matrices or with single lists.

#ifndef DENDROLITH_TESTS_SIMULATOR_PROGRAMBUILDER_H
#define DENDROLITH_TESTS_SIMULATOR_PROGRAMBUILDER_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::test {

/// Keeps nothing of u, all of v; no bias.
image::Cuba cuba(int32_t threshold, int32_t decayU = 4095, int32_t decayV = 0,
                 int32_t bias = 0);

/// Weights as matrix[target][source].
using Matrix = std::vector<std::vector<int>>;

class ProgramBuilder {
public:
  ProgramBuilder(uint32_t period, uint32_t depth);

  ProgramBuilder &population(const std::string &name, uint64_t size,
                             uint32_t phase, double scale = 1);
  ProgramBuilder &binaryInput(const std::string &name, uint64_t size,
                              uint32_t phase);
  ProgramBuilder &integerInput(const std::string &name, uint64_t size,
                               uint32_t phase, int64_t low, int64_t high,
                               double scale);
  /// An output of a population on fixed-function neurons: "s" is its spikes,
  /// "u" and "v" are states divided by its scale.
  ProgramBuilder &output(const std::string &name, const std::string &population,
                         const std::string &from);
  /// Neurons [first, first + count) of a population on core `core`, behind what
  /// the core holds already plus `gap` unused accumulators.
  ProgramBuilder &group(uint32_t core, const std::string &population,
                        uint64_t first, uint32_t count, image::Cuba neuron,
                        uint32_t gap = 0);

  /// A list of one in-axon of `core`; returns the in-axon. Dense without
  /// offsets. `base` is an accumulator of the core. Entries may have `delays`
  /// of their own.
  uint32_t axon(uint32_t core, uint32_t base, const std::vector<int> &weights,
                const std::vector<uint32_t> &offsets, uint16_t delay,
                uint8_t shift, uint32_t words,
                const std::vector<uint16_t> &delays = {});
  /// Source `element` of an input or population sends to that in-axon.
  ProgramBuilder &connect(const std::string &source, uint64_t element,
                          uint32_t core, uint32_t axon);

  /// A whole projection: per source and target group one list, dense over the
  /// group or, if `sparse`, of its non-zero weights (none = no message).
  /// `later` gives each entry a delay of its own.
  ProgramBuilder &project(const std::string &source, const std::string &target,
                          const Matrix &weights, uint16_t delay = 0,
                          uint8_t shift = 0, bool sparse = false,
                          const std::function<uint16_t()> &later = nullptr);

  /// Validated.
  image::Program build();

  image::Program program;

private:
  struct CoreTables {
    std::vector<InAxon> axons;
    std::vector<SynapseList> lists;
    std::vector<int16_t> weights;
    std::vector<uint16_t> delays; // by weight
    std::vector<uint32_t> offsets;
    uint32_t used = 0; // accumulators
    image::Core image;
  };
  image::Population &find(const std::string &name);

  std::map<uint32_t, CoreTables> cores;
  std::map<std::string, std::map<uint64_t, std::vector<AxonRow>>> rows;
};

/// How many sources an input of one axis has.
uint64_t sourcesOf(const image::Input &input);

/// `tilesX` x `tilesY` tiles of `coresPerTile` cores; no limits.
Target mesh(uint64_t tilesX, uint64_t tilesY, uint64_t coresPerTile = 1);

/// One sample per element: [sample][tick][element].
Samples samples(const std::vector<std::vector<std::vector<double>>> &values);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_PROGRAMBUILDER_H
