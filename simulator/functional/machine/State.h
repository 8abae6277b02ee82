// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes while a sample runs: the neurons' state words and the
// accumulators with their buckets. One State per sample in flight.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_STATE_H
#define NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_STATE_H

#include "simulator/functional/delivery/CountedSums.h"
#include "simulator/functional/machine/Machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurite::sim {

/// Steps of a ring of buckets, a power of two with room for all that are alive
/// at once: in step t those due from t - window + 1 (not read yet) to
/// t + 1 + maxDelay (just written). Throws Error beyond 2^31 buckets.
uint64_t ringSlots(const Machine &machine);

/// Synaptic input on its way: for each compartment a ring of buckets by the
/// step they fall due. Sums are exact modulo 2^64, so the order of deliveries
/// never shows. A bucket also knows whether anything was added, be it zero.
/// Where CountedSums hold what is on its way, one bucket for all steps, which
/// visits use and leave empty.
class Accumulators {
public:
  explicit Accumulators(const Machine &machine);

  /// Serves a message at in-axon `axon` in `step`: each entry of its list adds
  /// weight * payload << shift to the bucket due at step + 1 + delay.
  void deliver(uint32_t axon, int64_t payload, uint64_t step);

  /// What payload 1 adds at one compartment.
  struct Entry {
    uint32_t position = 0;
    int32_t contribution = 0;
  };
  /// Adds entries of any lists, each times `payload`, to the buckets due at
  /// step `due`.
  void add(Range<Entry> entries, int64_t payload, uint64_t due);

  /// The same of entries in a word each, with the weight in the low `Bits` bits
  /// and the position above; weights times `factor`.
  template <unsigned Bits>
  void addPacked(Range<uint32_t> entries, uint64_t factor, uint64_t due) {
    int64_t *sums = this->sums(due);
    uint8_t *marks = this->marks(due);
    for (uint32_t entry : entries) {
      const uint32_t position = entry >> Bits;
      const int64_t weight =
          static_cast<int32_t>(entry << (32 - Bits)) >> (32 - Bits);
      sums[position] =
          static_cast<int64_t>(static_cast<uint64_t>(sums[position]) +
                               static_cast<uint64_t>(weight) * factor);
      marks[position] = 1;
    }
  }

  /// Weights times `factor` into consecutive positions from `position` on.
  void addDense(Range<int16_t> weights, uint32_t position, uint64_t factor,
                uint64_t due);

  void addSparse(Range<int16_t> weights, const uint32_t *offsets,
                 uint32_t position, uint64_t factor, uint64_t due);

  /// Empties the buckets that the visit of `group` for `tick` in `step` would
  /// consume, for a second set kept beside the one that updateGroup() uses.
  void discard(uint32_t group, uint64_t tick, uint64_t step);

  /// Back to empty.
  void clear();

  struct Difference {
    uint32_t position = 0;
    uint64_t due = 0; // modulo the ring
    int64_t mine = 0, others = 0;
  };
  /// The first bucket in which two sets of the same machine differ.
  std::optional<Difference> compare(const Accumulators &other) const;
  /// Of the compartments of a core, in what visits in `step` can consume.
  std::optional<Difference> compareDue(const Accumulators &other,
                                       const Machine::Core &core,
                                       uint64_t step) const;

  /// The steps whose buckets a visit consumes: [first, last].
  struct Due {
    uint64_t first = 0, last = 0;
  };
  Due dueAt(const Machine::Group &group, uint64_t tick, uint64_t step) const;

  /// All positions' buckets due at one step.
  int64_t *sums(uint64_t due) { return sumRing.data() + row(due); }
  uint8_t *marks(uint64_t due) { return markRing.data() + row(due); }

private:
  size_t row(uint64_t due) const {
    return static_cast<size_t>(due & slotMask) * machine.positions();
  }

  const Machine &machine;
  uint64_t slotMask;             // ring size - 1; the size is a power of two
  std::vector<int64_t> sumRing;  // [slot][position]
  std::vector<uint8_t> markRing; // [slot][position]
};

/// What neurons remember: u, v and the refractory count by position (cuba);
/// state words, held sums and units still to be sent (microcode).
struct State {
  explicit State(const Machine &machine);
  /// Initial values, empty accumulators. States that a sample keeps stay,
  /// unless `all`.
  void reset(bool all = false);

  /// The state words of a microcode group, [word][neuron].
  int64_t *wordsOf(const Machine::Group &group) {
    return words.data() + group.words;
  }
  const int64_t *wordsOf(const Machine::Group &group) const {
    return words.data() + group.words;
  }

  const Machine &machine;
  std::vector<int32_t> u, v, refractory;
  std::vector<int64_t> words;
  std::vector<int64_t> held; // of each held port: [element][neuron]
  std::vector<int64_t> left; // [neuron][unary element]
  Accumulators accumulators;
  CountedSums counted; // instead, where the machine says so
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_STATE_H
