// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values by two numbers, in one array: growing slices look up one for most of
// the synapses of a convolution, and forget all of them for the next slice.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_PAIRMAP_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_PAIRMAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_PAIRMAP_H
