// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that one emission adds, in one place in memory. Serving messages list by
// list, as a chip does, costs several cache misses and mispredictions for each
// short list. An engine without a clock walks one row per source instead, and
// counts messages by kind at the end of a run. Long dense lists stay lists:
// they are contiguous already and may be shared.
//
// The plain twin is Accumulators::deliver() for each message of a machine with
// lists, which is also what --verify compares with. RowsTest and AgreementTest
// hold both equal to the naive engine.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWS_H

#include "runtime/host/Heap.h"
#include "simulator/functional/delivery/Traffic.h"
#include "simulator/functional/machine/CoreShares.h"
#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/machine/State.h"
#include "simulator/functional/neuron/CountedForm.h"

#include <array>
#include <cstdint>
#include <vector>

namespace dendrolith::sim {

// What rows can add up to in one step, and so whether 32 bits hold it.

struct RowBounds {
  bool any = false;        // whether there is a row
  bool packed = true;      // whether all entries are packed ones
  unsigned weightBits = 0; // the most of a packed entry
  unsigned shift = 0;      // that all of them share
  /// The most entries of one accumulator, and the largest sum of their
  /// magnitudes.
  uint64_t entries = 0, magnitude = 0;

  /// Adds rows to other accumulators.
  void include(const RowBounds &other);

  /// Whether and how CountedSums hold what the rows add up to.
  CountedForm counted(const Machine &machine) const;
};

class Rows : public Traffic {
public:
  /// Reads the lists of `program`, whose machine needs none of its own.
  /// `release`, null or the program itself, loses each table once it is read.
  Rows(const image::Program &program, const Machine &machine,
       image::Program *release);
  /// The same for lists of some cores alone.
  Rows(const image::Program &program, const Machine &machine, CoreShare cores,
       image::Program *release);

  /// The buckets that a State needs to which these rows alone send(), and what
  /// decided their form.
  const BucketLayout &layout() const { return buckets; }
  const RowBounds &bounds() const { return limits; }

  /// Makes entries count themselves as CountedSums of that form want it,
  /// instead of one of the layout(): where other rows are sent to the same
  /// buckets.
  void countBy(const CountedForm &form, const Machine &machine);

  /// Does the same as Accumulators::deliver() for each message of `source`.
  /// Meanwhile the row of `next`, which is sent soon, is fetched. Its place
  /// must have come by then, for which prefetchPlace() asks earlier.
  void send(uint32_t source, int64_t payload, uint64_t step, State &state,
            uint32_t next) const;
  void send(uint32_t source, int64_t payload, uint64_t step,
            State &state) const {
    send(source, payload, step, state, source);
  }
  void prefetchPlace(uint32_t source) const {
    __builtin_prefetch(runs.data() + runBegin[source]);
  }

  /// Whether sendSpikes() may be called: there are CountedSums of `form`, and
  /// each source has entries alone, all with one delay.
  bool areFlat(const CountedForm &form) const {
    return form.bits && !flat.empty();
  }
  /// Does send(source, 1, step, state) for each of them, which takes nothing
  /// but where its entries begin and end (Rows.cpp).
  void sendSpikes(Span<uint32_t> sources, uint64_t step, State &state) const;

  size_t kinds() const override { return deliveries.size(); }
  Delivery delivery(size_t kind) const override { return deliveries[kind]; }
  std::vector<Messages> sum(SourceRange sources,
                            const uint64_t *times) const override;
  void kindsOf(uint32_t source, std::vector<size_t> &kinds) const override;

  /// The bytes that entries and lists take.
  uint64_t bytes() const;

private:
  friend class RowBatch;
  friend class RowBuilder;

  struct Run;

  RowBounds findBounds(const Machine &machine) const;
  void findFlat();
  /// How many words lie between the entries of two sources.
  int64_t away(uint32_t source, uint32_t next) const;
  void send(const Run &run, int64_t payload, uint64_t due, State &state,
            int64_t away) const;
  template <unsigned Bits>
  void add(Span<uint32_t> entries, int64_t payload, uint64_t due, State &state,
           int64_t away) const;

  // How many bits weights of packed entries have.
  static constexpr unsigned kByte = 8, kNarrow = 9, kMiddle = 12, kBroad = 16;

  static constexpr uint32_t kNone = ~uint32_t(0);
  /// Entries of one source with one delay, or one list that stays one.
  struct Run {
    uint64_t first = 0; // index into the entries, or into listWeights
    uint32_t count = 0;
    uint32_t delay = 0;
    uint32_t accumulator = kNone; // at a list's base; none for entries
    uint32_t offset = kNone;  // index into listOffsets; none for a dense list
    uint8_t shift = 0;        // a list's; entries have one for all
    uint32_t present = kNone; // index into listPresent; none for no holes
  };
  const uint8_t *presentOf(const Run &run) const {
    return run.present == kNone ? nullptr : listPresent.data() + run.present;
  }

  BucketLayout buckets;
  RowBounds limits;
  unsigned weightBits = 0; // of a packed entry; 0 where entries are wide
  unsigned shift = 0;      // of all packed entries, the least of any list
  HugeArray packed;
  uint32_t carried = 0; // the bit of entries that counts them, if they have one
  std::vector<Accumulators::Entry> wide;
  std::vector<int16_t> listWeights;
  std::vector<uint32_t> listOffsets;
  std::vector<uint8_t> listPresent; // by weight of a list with holes, 0 or 1
  std::vector<uint32_t> runBegin = {0}; // by source, and the end
  std::vector<Run> runs;
  /// By source, and the end, where entries begin; empty where runs say more.
  std::vector<uint32_t> flat;
  uint32_t flatDelay = 0;

  // What messages are counted as. Most sources have few messages of few kinds.
  std::vector<Delivery> deliveries;         // by kind
  std::vector<uint64_t> messageBegin = {0}; // by source, and the end
  std::vector<uint16_t> kindOf;             // by message
  std::vector<uint32_t> wideKindOf;         // used instead beyond 2^16 kinds
};

// All that a step has sent, dense rows together. Sources of one layer have rows
// for the same targets: they wait until there are four of them, so that a sum,
// which takes four times the memory of a weight, is read and written once for
// all. Sums are exact modulo 2^64, so the order does not show. The plain twin
// is Rows::send() for one source after the other (RowBatchTest). The row of
// dendricl in tests/bench/jit.py shows the gain.

class RowBatch {
public:
  RowBatch(const Rows &rows, uint64_t step, State &state)
      : rows(rows), step(step), state(state) {}

  /// Does what Rows::send() does, at flush() at the latest.
  void send(uint32_t source, int64_t payload, uint32_t next);
  /// Adds what waits. Nothing may read the sums before.
  void flush();

private:
  /// Layers that a source reaches, each with rows that wait.
  static constexpr uint32_t kPlaces = 8;

  void wait(Accumulators::DenseRows &of, const Rows::Run &run, int64_t payload,
            uint64_t due);

  const Rows &rows;
  const uint64_t step;
  State &state;
  std::array<Accumulators::DenseRows, kPlaces> waiting; // by run of a source
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWS_H
