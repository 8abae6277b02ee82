// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds Rows from the packed tables of an image, source by source, in one
// pass. What form the entries take is decided first (RowForm.cpp).

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_ROWBUILDER_H
#define NEURITE_SIMULATOR_FUNCTIONAL_ROWBUILDER_H

#include "simulator/functional/ListReader.h"
#include "simulator/functional/Rows.h"

#include <map>
#include <tuple>
#include <vector>

namespace neurite::sim {

class RowBuilder {
public:
  RowBuilder(Rows &rows, const image::Program &program, Machine &machine);

  /// `release` as for Rows.
  void run(image::Program *release);

private:
  /// Dense lists of at least this many entries are served as lists.
  static constexpr uint32_t kLongList = 32;
  /// Most entries copied into rows: lists that many sources share would
  /// otherwise grow without bound.
  static constexpr uint64_t kMostEntries = uint64_t(1) << 27;
  /// With this shift and 16-bit weights a contribution fits 32 bits.
  static constexpr uint8_t kLargestShift = 16;

  /// Whether a list is copied entry by entry.
  static bool isShort(const SynapseList &shape) {
    return !(shape.kind == ListKind::Dense && shape.count >= kLongList) &&
           shape.shift <= kLargestShift;
  }

  struct Message {
    uint32_t core;
    ListReader::List list;
  };

  /// Where a core's tables have been read up to, in as few cache lines as it
  /// takes: a source's messages go to every core.
  struct Cursor {
    explicit Cursor(const ListReader &reader, uint32_t position)
        : code(reader.allCodes()), base(reader.allBases()),
          weights(reader.allWeights()), offsets(reader.allOffsets()),
          shapes(reader.shapes().data()), position(position),
          next(reader.isInOrder() ? 0 : ~uint32_t(0)) {}
    columns::View code, base;
    PackedNumbers weights;
    columns::View offsets;
    const SynapseList *shapes;
    uint32_t position; // of the core
    uint32_t next;     // in-axon; none that there is: read in another order
    uint32_t first = 0, firstOffset = 0;
  };

  // RowForm.cpp
  /// Whether all delays are the same, which is then the largest.
  void findDelay();
  /// As few bits for weights as they need, if all lists share one shift.
  void chooseForm();
  /// Entries of all rows: as many as weights, unless lists are shared.
  uint64_t countShared(uint64_t messages, uint64_t entries);
  uint64_t countEntries();

  // RowBuilder.cpp
  void add(const image::Axons &axons, uint64_t phase);
  void addSource(const AxonRow *row, const AxonRow *end, uint64_t phase);
  /// A message, of a program with one delay.
  void addNext(const AxonRow &row, uint64_t phase, size_t before);
  void addEntries(const Message &m, size_t before);
  void addKind(const Message &m, const SynapseList &shape, uint32_t nonZero);
  uint32_t newKind(uint32_t core, const SynapseList &shape, uint32_t nonZero);

  // RowLists.cpp
  /// A list that is served as one, kept once however many sources share it.
  void addList(const Message &m, const SynapseList &shape, uint32_t position);
  /// The ring has to reach back to accumulations that fall due long before the
  /// first visit (Machine::findWindow).
  void widen(const Message &m, uint64_t due);

  struct Kept {
    uint64_t first = 0;
    uint32_t offset = 0;
  };
  // First weight, first offset, count, dense.
  using ListKey = std::tuple<uint32_t, uint32_t, uint32_t, bool>;

  Rows &rows;
  const image::Program &program;
  Machine &machine;
  std::vector<ListReader> readers;              // by core
  std::vector<Cursor> cursors;                  // by core
  bool oneDelay = true;                         // that of all in-axons
  std::vector<uint32_t> coreIndex;              // by id
  std::vector<uint64_t> phaseAt, latest;        // by position, core
  std::vector<Message> messages;                // of the current source
  std::vector<std::vector<uint32_t>> kindCodes; // by core
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> longKinds;
  std::vector<std::map<ListKey, Kept>> lists; // by core
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_ROWBUILDER_H
