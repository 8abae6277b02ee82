// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A synapse process as numbers: Dense, Sparse, their delayed forms, and Conv.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_SYNAPSE_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_SYNAPSE_H

#include "compiler/lava/Kwargs.h"
#include "dialects/dend/Window.h"

#include <optional>

namespace dendrolith::lava {

struct Synapse {
  std::vector<uint64_t> inShape, outShape; ///< of s_in and a_out, Lava's order
  /// Whole numbers that Lava's preparation has made, (targets x sources), dense
  /// or sparse. Those of a convolution are in the order of `window`.
  Array weights;
  std::optional<dend::Window> window; ///< a convolution
  std::vector<int64_t> delays; ///< of each weight, or one, on top of the step
  int exponent = 0;            ///< the sum is shifted left by it
  bool binary = true;          ///< reads messages as s != 0
};

bool isSynapseClass(const std::string &lavaClass);
std::string synapseClassNames();

/// Reads and checks every keyword. Throws Error.
Synapse readSynapse(const Process &process, const std::string &place);

// The weights of a synapse process by delay, and one by one.

/// One weight, with the numbers of elements in the process's ports.
struct SynapseEntry {
  uint32_t target, source;
  int32_t weight;
};
using SynapseEntries = std::vector<SynapseEntry>;

/// Sorts the entries by source, then target; gives their weights and appends
/// their pairs (target, source) to `indices`.
std::vector<int16_t> takeSorted(SynapseEntries &entries,
                                std::vector<int32_t> &indices);

/// The weights of what arrives after the same number of steps. Lava shifts each
/// such sum by itself.
class DelayGroup {
public:
  int64_t delay = 0;

  /// Whether the group has every weight of the process.
  bool isWhole() const { return whole; }
  bool isZero() const { return size == 0; }
  /// How many low bits are 0 in every weight. The group must have a weight that
  /// is not 0.
  unsigned trailingZeros() const;
  /// The sum of |weight| for each row of targets, which is a channel of a
  /// convolution.
  std::vector<double> rowSums(const Synapse &synapse) const;
  /// The row that a target element belongs to.
  size_t rowOf(const Synapse &synapse, size_t target) const {
    if (!synapse.window)
      return target;
    return target /
           size_t(synapse.window->output(0) * synapse.window->output(1));
  }
  /// The entries that are not 0, in no order.
  SynapseEntries entries(const Synapse &synapse) const;

private:
  friend std::vector<DelayGroup> delayGroupsOf(const Synapse &synapse);
  template <typename F> void each(const Synapse &synapse, F use) const;
  bool whole = true;
  size_t size = 0;   ///< weights that are not 0
  uint32_t bits = 0; ///< all of them, or-ed
};

/// Gives the groups of a process, by delay, rising.
std::vector<DelayGroup> delayGroupsOf(const Synapse &synapse);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_SYNAPSE_H
