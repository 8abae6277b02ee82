// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists under construction in classes of equal content. An entry takes a list
// from its class into another one, and all lists of a class that get the same
// entry go the same way. The sources of a convolution are such lists, so that
// the way is mostly the one that the list before took: no content is looked up,
// and contents are compared exactly.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_LISTCLASSES_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_LISTCLASSES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dendrolith {

// Values by two numbers, in one array: growing slices look up one for most of
// the synapses of a convolution, and forget all of them for the next slice.

template <class Value> class PairMap {
public:
  /// The value of a pair, a new one where there is none. Valid until the next
  /// call.
  Value &at(uint64_t a, uint64_t b) {
    if (4 * (held + 1) > 3 * cells.size())
      grow();
    Cell &cell = cells[search(a, b)];
    if (cell.round != round) {
      cell = {a, b, Value(), round};
      ++held;
    }
    return cell.value;
  }
  /// The value of the pair, or null where there is none.
  const Value *find(uint64_t a, uint64_t b) const {
    if (held == 0)
      return nullptr;
    const Cell &cell = cells[search(a, b)];
    return cell.round == round ? &cell.value : nullptr;
  }
  /// Forgets everything, without a look at it.
  void clear() {
    held = 0;
    if (++round != 0)
      return;
    cells.clear(); // what 2^32 rounds ago was there would be there again
    round = 1;
  }

private:
  struct Cell {
    uint64_t a = 0, b = 0;
    Value value;
    uint32_t round = 0; // of clear(); those of earlier rounds are empty
  };

  /// Where a pair is or would be.
  size_t search(uint64_t a, uint64_t b) const {
    const uint64_t hash = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
    const size_t mask = cells.size() - 1;
    size_t at = size_t(hash ^ (hash >> 32)) & mask;
    while (cells[at].round == round && (cells[at].a != a || cells[at].b != b))
      at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Cell> old(cells.empty() ? 16 : 2 * cells.size());
    old.swap(cells);
    for (const Cell &cell : old)
      if (cell.round == round)
        cells[search(cell.a, cell.b)] = cell;
  }

  std::vector<Cell> cells; // a power of two of them, or none
  size_t held = 0;
  uint32_t round = 1;
};

/// How far an entry's target lies behind the list's first, and its weight.
struct ListEntry {
  uint32_t distance = 0;
  int16_t weight = 0;
  uint64_t key() const {
    return (uint64_t(distance) << 16) | static_cast<uint16_t>(weight);
  }
};

class ListClasses {
public:
  /// The class of a list with one entry; lists with another `origin` are never
  /// equal to it.
  uint32_t begin(uint64_t origin, ListEntry entry) {
    return follow(begins.at(origin, entry.key()));
  }

  /// The class of lists of class `from` that get one entry more.
  uint32_t next(uint32_t from, ListEntry entry) {
    const uint64_t key = entry.key();
    Class &old = classes[from];
    if (old.key == key && isAlive(old.way))
      return old.way.to;
    // The way that was taken last gives its place to this one.
    Way way;
    if (isAlive(old.way)) {
      ways.at(stamped(from), old.key) = old.way;
      old.hasMore = true;
    }
    if (old.hasMore)
      if (const Way *known = ways.find(stamped(from), key))
        way = *known;
    const uint32_t to = follow(way);
    classes[from].key = key; // `old` may have moved
    classes[from].way = way;
    return to;
  }

  /// Adds a list to a class that `begin` or `next` gave just now, for which it
  /// takes `words`; whether it is the first one.
  bool enter(uint32_t to, uint64_t words) {
    classes[to].words = words;
    return classes[to].lists++ == 0;
  }
  /// Takes a list away; whether it was the last one. The class stays: another
  /// list may come to it and go on to those that are beyond it.
  bool leave(uint32_t from) { return --classes[from].lists == 0; }
  /// Forgets a class without lists that no list will come to any more. Does
  /// nothing where one has come.
  void forget(uint32_t id) {
    if (classes[id].lists > 0 || classes[id].isFree)
      return;
    classes[id].isFree = true;
    ++classes[id].version;
    free.push_back(id);
  }
  /// What a list of the class takes; also after the last one has left.
  uint64_t wordsOf(uint32_t of) const { return classes[of].words; }

  void clear() {
    classes.clear();
    free.clear();
    ways.clear();
    begins.clear();
  }

private:
  /// To a class, as long as that has the version.
  struct Way {
    uint32_t to = 0, version = 0; // versions count from 1
  };
  struct Class {
    uint32_t lists = 0, version = 1;
    bool isFree = false;
    bool hasMore = false; // ways than the one below, among `ways`
    uint64_t words = 0;
    uint64_t key = 0; // of the entry that `way` is for
    Way way;
  };
  bool isAlive(const Way &way) const {
    return way.version != 0 && classes[way.to].version == way.version;
  }
  uint64_t stamped(uint32_t id) const {
    return (uint64_t(classes[id].version) << 32) | id;
  }
  /// Where the way leads; a new class where it leads nowhere yet.
  uint32_t follow(Way &way) {
    if (isAlive(way))
      return way.to;
    if (free.empty()) {
      way.to = static_cast<uint32_t>(classes.size());
      classes.emplace_back();
    } else {
      way.to = free.back();
      free.pop_back();
      classes[way.to].way = Way();
      classes[way.to].isFree = classes[way.to].hasMore = false;
    }
    way.version = classes[way.to].version;
    return way.to;
  }

  std::vector<Class> classes;
  std::vector<uint32_t> free; // those forgotten
  PairMap<Way> ways;          // by stamped() and the key of the entry
  PairMap<Way> begins;        // by origin and key
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_LISTCLASSES_H
