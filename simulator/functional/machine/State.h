// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes while a sample runs: the neurons' state words and the
// accumulators with their buckets. Each sample in flight has a State of its
// own.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_STATE_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_STATE_H

#include "runtime/host/Heap.h"
#include "simulator/functional/delivery/CountedSums.h"
#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/neuron/Compiled.h"
#include "simulator/options/RunOptions.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith::sim {

/// How many steps a ring of buckets has: a power of two with room for all that
/// are alive at once. In step t those are the ones due from t - window + 1 (not
/// read yet) to t + 1 + maxDelay (just written). Throws Error beyond 2^31
/// buckets.
uint64_t ringSlots(const Machine &machine, const BucketLayout &layout);

/// Synaptic input on its way: each accumulator has a ring of buckets by the
/// step they fall due. Sums are exact modulo 2^64, so the order of deliveries
/// never shows. A bucket also knows (its mark) whether anything was added, be
/// it zero. Where CountedSums hold what is on its way, there is one bucket for
/// all steps, which visits use and leave empty.
class Accumulators {
public:
  Accumulators(const Machine &machine, const BucketLayout &layout);

  /// Serves a message at in-axon `axon` in `step`: each entry of its list adds
  /// its contribution() to the bucket due at step + 1 + delay.
  void deliver(uint32_t axon, int64_t payload, uint64_t step);

  /// What a message of payload 1 adds to one accumulator.
  struct Entry {
    uint32_t accumulator = 0;
    int32_t contribution = 0;
  };
  /// Adds entries of any lists, each times `payload`, to the buckets due at
  /// step `due`.
  void add(Span<Entry> entries, int64_t payload, uint64_t due);

  /// Adds packed entries, whose weights have `Bits` bits and are multiplied by
  /// `factor`. `away` as for walkRow().
  template <unsigned Bits>
  void addPacked(Span<uint32_t> entries, uint64_t factor, uint64_t due,
                 int64_t away = 0) {
    int64_t *const sums = this->sums(due);
    uint8_t *const marks = this->marks(due);
    walkRow(entries, away, [=](uint32_t entry) {
      const uint32_t accumulator = accumulatorOf(entry, Bits);
      const int64_t weight = weightOf(entry, Bits);
      sums[accumulator] =
          static_cast<int64_t>(static_cast<uint64_t>(sums[accumulator]) +
                               static_cast<uint64_t>(weight) * factor);
      marks[accumulator] = 1;
    });
  }

  /// Adds weights times `payload`, shifted to the left, to consecutive
  /// accumulators, of which those are marked that are `present` (null: all).
  /// The others have a weight of 0.
  void addDense(Span<int16_t> weights, const uint8_t *present,
                uint32_t accumulator, int64_t payload, uint8_t shift,
                uint64_t due);

  /// What several messages add to the same consecutive accumulators.
  struct DenseRows {
    static constexpr size_t kMost = 4;
    /// Payloads of a smaller size have products whose sum has 32 bits.
    static constexpr int64_t kLargestPayload = (1 << 13) - 1;

    uint32_t accumulator = 0, count = 0; // of weights of a row
    uint8_t shift = 0;                   // to the left
    uint64_t due = 0;
    size_t rows = 0;
    std::array<const int16_t *, kMost> weights{};
    std::array<const uint8_t *, kMost> present{};
    std::array<int32_t, kMost> payloads{};
  };
  /// Does addDense() for each row; sums are read and written once for four.
  void addDense(const DenseRows &rows);

  /// Adds weights times `factor` to the accumulators at `offsets` from
  /// `accumulator`.
  void addSparse(Span<int16_t> weights, const uint32_t *offsets,
                 uint32_t accumulator, uint64_t factor, uint64_t due);

  /// Adds what each weight gives with a list's shift to the right, to the
  /// accumulators at `offsets` from `accumulator`, or to consecutive ones where
  /// `offsets` is null.
  void addShifted(Span<int16_t> weights, const uint32_t *offsets,
                  uint32_t accumulator, int64_t payload, uint8_t shift,
                  uint64_t due);

  /// Adds what each entry of a list gives whose entries have delays of their
  /// own, beyond `due`.
  void addDelayed(const Axon &axon, int64_t payload, uint64_t due);

  /// Empties the buckets that the visit of `group` for `tick` in `step` would
  /// consume, for a second set kept beside the one that updateGroup() uses.
  void discard(uint32_t group, uint64_t tick, uint64_t step);

  /// Empties all buckets of so many accumulators.
  void clear(uint32_t first, uint32_t count);

  struct Difference {
    uint32_t accumulator = 0;
    uint64_t due = 0; // modulo the ring
    int64_t mine = 0, others = 0;
  };
  /// The first bucket in which two sets of the same machine differ.
  std::optional<Difference> compare(const Accumulators &other) const;

  /// The steps whose buckets a visit consumes: [first, last].
  struct Due {
    uint64_t first = 0, last = 0;
  };
  Due dueAt(const Machine::Group &group, uint64_t tick, uint64_t step) const;

  /// The buckets of all accumulators that fall due at one step.
  int64_t *sums(uint64_t due) { return sumRing.data() + row(due); }
  uint8_t *marks(uint64_t due) { return markRing.data() + row(due); }

private:
  size_t row(uint64_t due) const {
    return static_cast<size_t>(due & slotMask) * machine.accumulators();
  }

  const Machine &machine;
  uint64_t firstWindow;           // of the layout
  uint64_t slotMask;              // ring size - 1; the size is a power of two
  ZeroedVector<int64_t> sumRing;  // [slot][accumulator]
  ZeroedVector<uint8_t> markRing; // [slot][accumulator]
};

/// What neurons remember. A fixed-function neuron has u, v and a refractory
/// count, all at the index of its one accumulator; a microcode neuron has state
/// words, held sums and units still to be sent.
struct State {
  /// For the neurons of all cores or of some.
  State(const Machine &machine, const BucketLayout &layout);
  State(const Machine &machine, const BucketLayout &layout, CoreShare own);
  /// Sets initial values and empties the accumulators. States that outlive a
  /// sample stay, unless `all`.
  void reset(bool all = false);

  /// The state words of a microcode group as [word][neuron].
  int64_t *wordsOf(const Machine::Group &group) {
    return words.data() + group.words;
  }
  const int64_t *wordsOf(const Machine::Group &group) const {
    return words.data() + group.words;
  }

  const Machine &machine;
  const BucketLayout layout;
  const CoreShare own; // whose neurons and accumulators are used
  ZeroedVector<int32_t> u, v, refractory;
  ZeroedVector<int64_t> words;
  /// By microcode group and neuron, something other than 0 if a state word of
  /// it is; empty where that is not known.
  std::vector<std::vector<int64_t>> anyWord;
  ZeroedVector<int64_t> held; // [element][neuron] of each held port
  ZeroedVector<int64_t> left; // [neuron][unary element]: units still to be sent
  Accumulators accumulators;
  CountedSums counted; // used instead where the layout has its form
  std::shared_ptr<const CompiledGroups> compiled; // null: none is compiled

  /// The machine code of a group's program; null if it has none.
  const CompiledProgram *codeOf(uint32_t group) const {
    return compiled ? (*compiled)[group].get() : nullptr;
  }
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_STATE_H
