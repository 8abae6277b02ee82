// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of a core while they are filled. A source's lists go to every
// core: written where they belong one by one, hundreds of large arrays would
// take turns, more than a cache can keep apart. So each gathers some rows
// first.

#ifndef NEURITE_COMPILER_LOWERING_COREROWS_H
#define NEURITE_COMPILER_LOWERING_COREROWS_H

#include "compiler/lowering/CoreTables.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neurite {

/// A vector under construction, `kRoom` elements of which are gathered.
template <typename T, size_t kRoom> class Gathered {
public:
  explicit Gathered(std::vector<T> &all) : all(all) {}

  /// Room for `count` elements; its contents are undefined.
  T *add(size_t count) {
    if (used + count > kRoom)
      flush();
    if (count > kRoom) {
      all.resize(all.size() + count);
      return all.data() + all.size() - count;
    }
    used += count;
    return rows + used - count;
  }
  void flush() {
    all.insert(all.end(), rows, rows + used);
    used = 0;
  }
  void reserve(size_t more) { all.reserve(size() + more); }
  size_t size() const { return all.size() + used; }

private:
  std::vector<T> &all;
  size_t used = 0;
  T rows[kRoom];
};

/// Appends to `core`; it is complete after finish().
struct CoreRows {
  explicit CoreRows(CoreTable &core)
      : id(core.id), lists(core.lists), inAxons(core.inAxons),
        weights(core.weights), offsets(core.offsets) {}
  void finish() {
    lists.flush();
    inAxons.flush();
    weights.flush();
    offsets.flush();
  }

  const uint32_t id;
  static constexpr size_t kRows = 64;
  Gathered<int32_t, 8 * kRows> lists;
  Gathered<int32_t, 4 * kRows> inAxons;
  Gathered<int16_t, 4 * kRows> weights;
  Gathered<int32_t, 4 * kRows> offsets;
};

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_COREROWS_H
