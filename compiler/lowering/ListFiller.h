// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the synapse lists and in-axons of a projection into the tables of
// cores.

#ifndef DENDROLITH_COMPILER_LOWERING_LISTFILLER_H
#define DENDROLITH_COMPILER_LOWERING_LISTFILLER_H

#include "compiler/lowering/CoreTables.h"

#include "runtime/image/Tables.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dendrolith {

/// Stores the lists of one projection, source by source. Where the projection
/// shares, equal lists of a slice are stored once, and equal ones at equal
/// bases have one in-axon. `targets` are neighbouring slices of the target, in
/// order of neurons; lists of others are left to another call, which may be
/// made at the same time where none of its slices lies in a core of these.
/// `messages` gets what each source sends to these slices.
Sharing fillLists(const LoweredNetwork &network, size_t projection,
                  const SynapseFormat &format, llvm::ArrayRef<Slice> targets,
                  ChipTables &tables, OutAxons::Part &messages);

// The tables of a core while they are filled. A source's lists go to every
// core: written where they belong one by one, hundreds of large arrays would
// take turns, more than a cache can keep apart. So each gathers some rows
// first.

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
        weights(core.weights), offsets(core.offsets), delays(core.delays),
        core(core) {
    for (size_t at = 0; at < core.shapes.size(); at += 6)
      shapes.codeOf(shapeAt(&core.shapes[at]));
  }
  void finish() {
    lists.flush();
    inAxons.flush();
    weights.flush();
    offsets.flush();
    core.shapes.clear();
    for (const ListShape &shape : shapes.inOrder())
      for (uint32_t column :
           {shape.count, shape.words, shape.rest & 0xff, shape.rest >> 8 & 0xff,
            shape.rest >> 16 & 0xff, shape.rest >> 24})
        core.shapes.push_back(static_cast<int32_t>(column));
  }

  /// So many in-axons for a kernel; the number of the first.
  int32_t addKernelAxons(uint32_t count) {
    core.kernelAxons += int32_t(count);
    return core.kernelAxons - int32_t(count) + 1;
  }

  const uint32_t id;
  static constexpr size_t kRows = 64;
  ListShapes shapes;
  Gathered<int32_t, kRows> lists;
  Gathered<int32_t, 4 * kRows> inAxons;
  Gathered<int16_t, 4 * kRows> weights;
  Gathered<int32_t, 4 * kRows> offsets;
  std::vector<int16_t> &delays; // of all weights so far, or of fewer

private:
  static ListShape shapeAt(const int32_t *row) {
    ListShape shape;
    shape.count = static_cast<uint32_t>(row[0]);
    shape.words = static_cast<uint32_t>(row[1]);
    for (int k = 0; k < 4; ++k)
      shape.rest |= static_cast<uint32_t>(row[2 + k]) << (8 * k);
    return shape;
  }

  CoreTable &core;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_LISTFILLER_H
