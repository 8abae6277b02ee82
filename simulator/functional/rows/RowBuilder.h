// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds Rows from the packed tables of an image, source by source, in one
// pass. What form the entries take is decided first (RowBuilderForm.cpp).

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBUILDER_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBUILDER_H

#include "runtime/image/PackedAxons.h"
#include "simulator/functional/delivery/ListCursor.h"
#include "simulator/functional/rows/Rows.h"

#include <map>
#include <tuple>
#include <vector>

namespace dendrolith::sim {

/// Empties the synapse and axon tables of all cores and inputs.
void releaseTables(image::Program &program);

class RowBuilder {
public:
  RowBuilder(Rows &rows, const image::Program &program, const Machine &machine,
             CoreShare share);

  /// `release` as for Rows. Returns the delays and the window of the layout.
  BucketLayout run(image::Program *release);

private:
  /// Dense lists of at least this many entries are served as lists. Fewer are
  /// enough where entries are wide: these take 8 bytes for 2 of a weight and
  /// are added up one by one.
  static constexpr uint32_t kLongList = 32, kLongBesideWide = 8;
  /// So many entries may be copied into rows in any network.
  static constexpr uint64_t kAnyEntries = uint64_t(1) << 27;
  static constexpr uint8_t kLargestShift = ListCursor::kLargestShift;

  /// Whether a list is copied entry by entry, as each is whose entries have
  /// delays of their own.
  bool isShort(const SynapseList &shape, bool delayed = false) const {
    return (delayed ||
            !(shape.kind == ListKind::Dense && shape.count >= longList)) &&
           shape.shift <= kLargestShift;
  }

  struct Message {
    uint32_t core;
    ListReader::List list;
  };

  // RowBuilderForm.cpp
  /// Finds whether all delays are the same, which is then the largest.
  void findDelay();
  /// Chooses packed entries, with as few bits as weights need that have the
  /// least shift of any list, if the accumulator has room beside them.
  void chooseForm();
  /// The bits that weights have in packed entries which need so many; 0 where
  /// none are enough.
  static unsigned packedBits(unsigned needed);
  /// How many entries all rows have: as many as there are weights, unless
  /// sources share lists.
  uint64_t countShared(uint64_t messages, uint64_t entries);
  uint64_t countEntries();

  // RowBuilder.cpp
  /// Adds the rows of sources that emit first in step `phase`.
  void add(const image::Axons &axons, uint64_t phase);
  /// Adds the next messages of `walk`, which are those of one source.
  void addSource(AxonWalk &walk, uint32_t count, uint64_t phase);
  /// Does the same for a program in which all delays are equal.
  void addInTurn(AxonWalk &walk, uint32_t count, uint64_t phase);
  /// Adds as many of a source's messages as have lists that were read ahead.
  /// Returns the one after them, still counted by `count`, if that is not 0.
  AxonRow takeLists(AxonWalk &walk, uint32_t &count, uint64_t due,
                    size_t before);
  /// The run that a list with that delay goes on, of those after `before`.
  Rows::Run &openRun(size_t before, uint32_t delay);
  void addEntries(const Message &m, size_t before);

  // RowBuilderLists.cpp
  /// Whether entries of the list have delays of their own.
  bool hasDelays(const Message &m) const;
  /// Adds such a list, delay by delay. `due` is that of an entry without one.
  void addDelayed(const Message &m, size_t before, uint64_t due);
  /// Adds those of its entries that `entries` names, as entries or as a list.
  void addPart(const Message &m, const std::vector<uint32_t> &entries,
               uint32_t delay, size_t before);

  // RowBuilder.cpp
  uint32_t placeOf(const Message &m) const {
    return machine.cores()[m.core].firstAccumulator + m.list.base;
  }
  /// The accumulator of entry k of its list.
  uint32_t placeOf(const Message &m, uint32_t k) const {
    const ListReader &reader = readers[m.core];
    const bool dense = reader.shapes()[m.list.shape].kind == ListKind::Dense;
    return placeOf(m) + (dense ? k : reader.offset(m.list.firstOffset + k));
  }
  /// The kind of messages to a list of the core that reaches first that
  /// accumulator, with `nonZero` weights that are not zero.
  uint32_t kindOf(uint32_t core, uint32_t shape, uint32_t nonZero,
                  uint32_t accumulator);
  void addKind(uint32_t kind);
  /// Adds the kind of a message, whose weights are looked at for it.
  void addKindOf(const Message &m);
  uint32_t newKind(uint32_t section, const SynapseList &shape,
                   uint32_t nonZero);

  // RowBuilderForm.cpp
  /// Adds a list that is served as one. It is kept once, however many sources
  /// share it.
  void addList(const Message &m, const SynapseList &shape,
               uint32_t accumulator);
  /// Widens the window for a message that falls due long before the first visit
  /// of a neuron that it reaches: the ring has to reach back that far
  /// (BucketLayout).
  void widen(const Message &m, uint64_t due);
  void widenTo(uint32_t accumulator, uint64_t due);

  // RowBuilderLists.cpp
  /// Lists of one source that are one, and what neurons they reach.
  struct Chain {
    uint32_t base = 0; // accumulator
    uint32_t entries = 0;
    std::vector<int16_t> weights;
    std::vector<uint8_t> present; // by weight, whether a list has it
  };
  /// Whether lists that lead to the neurons of one core after the other are
  /// joined.
  bool chainsPay() const;
  /// Makes one dense list of those of messages from the `next` one on, as many
  /// as lie side by side, and sets the `end` of these. False, and nothing is
  /// added, where that is too short, or has too many holes.
  bool addChain(size_t next, size_t &end);
  /// Appends a list, if it begins where the chain ends, or soon after.
  bool extend(Chain &chain, const Message &m) const;
  /// Gives a chain holes at its ends, up to accumulators of these cores alone.
  void pad(Chain &chain) const;

  /// The neurons of one population on one core.
  struct Section {
    uint32_t core = 0, population = 0;
  };
  void findSections();

  struct Kept {
    uint64_t first = 0;
    uint32_t offset = 0;
  };
  // The key is first weight, first offset, count, and whether it is dense.
  using ListKey = std::tuple<uint32_t, uint32_t, uint32_t, bool>;

  Rows &rows;
  const image::Program &program;
  const Machine &machine;
  const CoreShare share; // the cores to which rows lead
  uint32_t longList = kLongList;
  /// Most entries copied into rows: kAnyEntries, or as many as there are
  /// weights. Lists that many sources share would otherwise grow without bound.
  uint64_t mostEntries = kAnyEntries;
  uint64_t mostJoined = 0;               // weights in chains
  BucketLayout layout;                   // as far as it is known
  std::vector<ListReader> readers;       // by core
  std::vector<ListCursor> cursors;       // by core
  bool oneDelay = true;                  // all in-axons have the same
  bool joins = false;                    // chainsPay()
  std::vector<uint32_t> coreIndex;       // by id
  std::vector<uint64_t> phaseAt, latest; // by accumulator, core
  std::vector<Message> messages;         // sent by the current source
  std::vector<Message> delayed;    // those of them whose entries have delays
  Chain chain;                     // of some of them
  std::vector<Section> sections;   // core after core
  std::vector<uint32_t> sectionAt; // by accumulator
  std::vector<std::vector<uint32_t>> kindCodes; // by section
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> longKinds;
  std::vector<std::map<ListKey, Kept>> lists; // by core
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBUILDER_H
