// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows from the packed tables of an image, source by source, in one pass.

#include "simulator/functional/ListReader.h"
#include "simulator/functional/Rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace neurite::sim {

/// Dense lists of at least this many entries are served as lists.
static constexpr uint32_t kLongList = 32;
/// Most entries copied into rows: lists that many sources share would otherwise
/// grow without bound.
static constexpr uint64_t kMostEntries = uint64_t(1) << 27;
/// With this shift and 16-bit weights a contribution fits 32 bits.
static constexpr uint8_t kLargestShift = 16;

class RowBuilder {
public:
  RowBuilder(Rows &rows, const image::Program &program, Machine &machine)
      : rows(rows), program(program), machine(machine),
        phaseAt(machine.positions()), latest(machine.cores().size()),
        kindCodes(machine.cores().size()), lists(machine.cores().size()) {
    machine.firstWindow = machine.period;
    for (const image::Core &core : program.cores()) {
      coreIndex.resize(core.id() + 1);
      coreIndex[core.id()] = uint32_t(readers.size());
      readers.emplace_back(core);
    }
    for (const Machine::Group &group : machine.groups()) {
      std::fill_n(phaseAt.begin() + group.position,
                  size_t(group.count) * group.accumulators, group.rhythm.phase);
      latest[group.core] = std::max(latest[group.core], group.rhythm.phase);
    }
    for (size_t c = 0; c < readers.size(); ++c)
      cursors.emplace_back(readers[c], machine.cores()[c].position);
    findDelay();
    chooseForm();
  }

  void run(image::Program *release) {
    for (int i = 0; i < program.inputs_size(); ++i) {
      add(program.inputs(i).axons(), machine.inputs()[size_t(i)].rhythm.phase);
      if (release)
        release->mutable_inputs(i)->clear_axons();
    }
    size_t g = 0;
    for (int c = 0; c < program.cores_size(); ++c)
      for (int i = 0; i < program.cores(c).groups_size(); ++i) {
        add(program.cores(c).groups(i).axons(),
            machine.groups()[g++].rhythm.phase);
        if (release)
          release->mutable_cores(c)->mutable_groups(i)->clear_axons();
      }
    for (int c = 0; release && c < release->cores_size(); ++c) {
      release->mutable_cores(c)->clear_synapses();
      release->mutable_cores(c)->clear_in_axons();
    }
  }

private:
  /// Whether a list is copied entry by entry.
  static bool isShort(const SynapseList &shape) {
    return !(shape.kind == ListKind::Dense && shape.count >= kLongList) &&
           shape.shift <= kLargestShift;
  }

  /// Whether all delays are the same, which is then the largest.
  void findDelay() {
    bool first = true;
    for (const ListReader &reader : readers)
      for (uint32_t a = 0; oneDelay && a < reader.numAxons(); ++a) {
        const uint32_t delay = reader.delay(a);
        oneDelay = first || delay == machine.maxDelay;
        machine.maxDelay = delay;
        first = false;
        if (reader.hasOneDelay())
          break;
      }
    if (!oneDelay)
      machine.maxDelay = 0;
  }

  /// As few bits for weights as they need, if all lists share one shift.
  void chooseForm() {
    unsigned bits = 0, positionBits = 1;
    int shift = -1;
    bool oneShift = true;
    uint64_t entries = 0, messages = 0;
    for (const ListReader &reader : readers) {
      for (const SynapseList &shape : reader.shapes()) {
        if (!isShort(shape))
          continue;
        oneShift &= shift < 0 || shift == shape.shift;
        shift = shape.shift;
      }
      // With the sign last, numbers of so many bits are the weights of so many.
      const bool narrow =
          bits != Rows::kBroad && !(reader.largestRaw() >> Rows::kNarrow);
      bits = narrow ? Rows::kNarrow : Rows::kBroad;
      entries += reader.numWeights();
    }
    while (machine.positions() >> positionBits)
      ++positionBits;
    if (oneShift && shift >= 0 && positionBits + bits <= 32) {
      rows.weightBits = bits;
      rows.shift = unsigned(shift);
    }
    auto count = [&](const image::Axons &axons) {
      messages += countRows(axons.rows());
    };
    for (const image::Input &input : program.inputs())
      count(input.axons());
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups())
        count(group.axons());
    rows.kindOf.reserve(messages);
    rows.messageBegin.reserve(machine.sources() + size_t(1));
    rows.runBegin.reserve(machine.sources() + size_t(1));
    rows.runs.reserve(machine.sources());
    if (rows.weightBits)
      rows.packed.reserve(countShared(messages, entries));
  }

  /// Entries of all rows: as many as weights, unless lists are shared.
  uint64_t countShared(uint64_t messages, uint64_t entries) {
    uint64_t axons = 0;
    for (const ListReader &reader : readers)
      axons += reader.numAxons();
    if (messages <= axons && std::all_of(readers.begin(), readers.end(),
                                         [](const ListReader &reader) {
                                           return reader.isInOrder();
                                         }))
      return entries;
    return countEntries();
  }

  uint64_t countEntries() {
    uint64_t entries = 0;
    auto count = [&](const image::Axons &axons) {
      for (const AxonRow &row : decodeAxons(axons).rows) {
        ListReader &reader = readers[coreIndex[row.core]];
        const SynapseList &shape = reader.shapes()[reader.at(row.axon).shape];
        if (isShort(shape))
          entries += shape.count;
      }
    };
    for (const image::Input &input : program.inputs())
      count(input.axons());
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups())
        count(group.axons());
    return std::min(entries, kMostEntries + (uint64_t(1) << 16));
  }

  void add(const image::Axons &axons, uint64_t phase) {
    AxonTable table = decodeAxons(axons);
    for (size_t s = 0; s < table.sources(); ++s) {
      addSource(table.rows.data() + table.begin[s],
                table.rows.data() + table.begin[s + 1], phase);
      rows.runBegin.push_back(uint32_t(rows.runs.size()));
      rows.messageBegin.push_back(rows.kindOf.size() + rows.wideKindOf.size());
    }
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

  void addSource(const AxonRow *row, const AxonRow *end, uint64_t phase) {
    if (oneDelay) {
      const size_t before = rows.runs.size();
      for (; row != end; ++row)
        addNext(*row, phase, before);
      return;
    }
    messages.clear();
    bool sorted = true;
    for (; row != end; ++row) {
      uint32_t core = coreIndex[row->core];
      ListReader::List list = readers[core].at(row->axon);
      machine.maxDelay = std::max(machine.maxDelay, list.delay);
      sorted &= messages.empty() || messages.back().list.delay <= list.delay;
      messages.push_back({core, list});
    }
    for (const Message &m : messages)
      if (latest[m.core] >= phase + 1 + m.list.delay + machine.firstWindow)
        widen(m, phase + 1 + m.list.delay);
    // One run for each delay.
    if (!sorted)
      std::stable_sort(messages.begin(), messages.end(),
                       [](const Message &a, const Message &b) {
                         return a.list.delay < b.list.delay;
                       });
    const size_t before = rows.runs.size();
    for (const Message &m : messages)
      addEntries(m, before);
  }

  /// A message, of a program with one delay.
  void addNext(const AxonRow &row, uint64_t phase, size_t before) {
    const uint32_t core = coreIndex[row.core];
    Cursor &at = cursors[core];
    Message m{core, {}};
    if (row.axon == at.next) {
      m.list.shape = at.code[row.axon];
      m.list.base = at.base[row.axon];
      m.list.delay = machine.maxDelay;
      m.list.first = at.first;
      m.list.firstOffset = at.firstOffset;
      const SynapseList &shape = at.shapes[m.list.shape];
      at.first += shape.count;
      at.firstOffset += shape.kind == ListKind::Sparse ? shape.count : 0;
      ++at.next;
    } else {
      m.list = readers[core].at(row.axon);
    }
    if (latest[core] >= phase + 1 + m.list.delay + machine.firstWindow)
      widen(m, phase + 1 + m.list.delay);
    addEntries(m, before);
  }

  void addEntries(const Message &m, size_t before) {
    const Cursor &from = cursors[m.core];
    const SynapseList &shape = from.shapes[m.list.shape];
    const uint32_t position = from.position + m.list.base;
    const uint64_t size = rows.packed.size() + rows.wide.size();
    if (!isShort(shape) || size > kMostEntries)
      return addList(m, shape, position);
    if (rows.runs.size() == before ||
        rows.runs.back().position != Rows::kNone ||
        rows.runs.back().delay != m.list.delay)
      rows.runs.push_back({size, 0, m.list.delay});
    rows.runs.back().count += shape.count;
    uint32_t nonZero = 0;
    const PackedNumbers weights = from.weights;
    const columns::View offsets = from.offsets;
    const bool dense = shape.kind == ListKind::Dense;
    auto each = [&](auto put) {
      for (uint32_t k = 0; k < shape.count; ++k) {
        const int32_t weight = weights.weight(m.list.first + k);
        nonZero += weight != 0;
        put(k, position + (dense ? k : offsets[m.list.firstOffset + k]),
            weight);
      }
    };
    if (const unsigned bits = rows.weightBits) {
      uint32_t *out = rows.packed.extend(shape.count);
      each([out, bits](uint32_t k, uint32_t at, int32_t weight) {
        out[k] = at << bits | (uint32_t(weight) & ((uint32_t(1) << bits) - 1));
      });
    } else {
      each([&](uint32_t, uint32_t at, int32_t weight) {
        rows.wide.push_back({at, weight * (int32_t(1) << shape.shift)});
      });
    }
    addKind(m, shape, nonZero);
  }

  /// A list that is served as one, kept once however many sources share it.
  void addList(const Message &m, const SynapseList &shape, uint32_t position) {
    const ListReader &reader = readers[m.core];
    const bool dense = shape.kind == ListKind::Dense;
    auto key = std::make_tuple(m.list.first, dense ? 0 : m.list.firstOffset,
                               shape.count, dense);
    auto [at, isNew] = lists[m.core].emplace(key, Kept());
    if (isNew) {
      at->second.first = rows.listWeights.size();
      at->second.offset =
          dense ? Rows::kNone : uint32_t(rows.listOffsets.size());
      for (uint32_t k = 0; k < shape.count; ++k) {
        rows.listWeights.push_back(reader.weight(m.list.first + k));
        if (!dense)
          rows.listOffsets.push_back(reader.offset(m.list.firstOffset + k));
      }
    }
    rows.runs.push_back({at->second.first, shape.count, m.list.delay, position,
                         at->second.offset, shape.shift});
    uint32_t nonZero = 0;
    for (uint32_t k = 0; k < shape.count; ++k)
      nonZero += reader.weight(m.list.first + k) != 0;
    addKind(m, shape, nonZero);
  }

  /// The ring has to reach back to accumulations that fall due long before the
  /// first visit (Machine::findWindow).
  void widen(const Message &m, uint64_t due) {
    const ListReader &reader = readers[m.core];
    const SynapseList &shape = reader.shapes()[m.list.shape];
    for (uint32_t k = 0; k < shape.count; ++k) {
      uint32_t at = machine.cores()[m.core].position + m.list.base +
                    (shape.kind == ListKind::Dense
                         ? k
                         : reader.offset(m.list.firstOffset + k));
      if (phaseAt[at] >= due)
        machine.firstWindow =
            std::max(machine.firstWindow, phaseAt[at] - due + 1);
    }
  }

  void addKind(const Message &m, const SynapseList &shape, uint32_t nonZero) {
    uint32_t kind = 0;
    std::vector<uint32_t> &codes = kindCodes[m.core];
    if (shape.count < kLongList) { // mostly
      const size_t at = size_t(m.list.shape) * kLongList + nonZero;
      if (codes.size() <= at)
        codes.resize(at + 1, ~uint32_t(0));
      if (codes[at] == ~uint32_t(0))
        codes[at] = newKind(m.core, shape, nonZero);
      kind = codes[at];
    } else {
      auto key = std::make_tuple(m.core, m.list.shape, nonZero);
      auto [at, isNew] = longKinds.emplace(key, 0);
      if (isNew)
        at->second = newKind(m.core, shape, nonZero);
      kind = at->second;
    }
    if (kind > 0xffff && rows.wideKindOf.empty()) {
      rows.wideKindOf.assign(rows.kindOf.begin(), rows.kindOf.end());
      rows.kindOf = {};
    }
    if (rows.wideKindOf.empty())
      rows.kindOf.push_back(uint16_t(kind));
    else
      rows.wideKindOf.push_back(kind);
  }

  uint32_t newKind(uint32_t core, const SynapseList &shape, uint32_t nonZero) {
    rows.deliveries.push_back(
        {core, shape.count, shape.words, nonZero, shape.kind});
    return uint32_t(rows.deliveries.size() - 1);
  }

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

Rows::Rows(const image::Program &program, Machine &machine,
           image::Program *release) {
  RowBuilder(*this, program, machine).run(release);
  machine.counted = findCounted(machine);
  isCounted = machine.counted.bits != 0;
}

} // namespace neurite::sim
