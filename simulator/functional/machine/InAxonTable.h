// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The in-axons of all cores, in 16 bytes each: a random network has one for
// nearly every synapse, and what many of them have in common lies once. Who
// only asks how long messages are served needs no more than that: there,
// in-axons that are served alike are one.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INAXONTABLE_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INAXONTABLE_H

#include "runtime/image/Tables.h"
#include "targets/support/Error.h"

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

namespace dendrolith::sim {

/// What a machine has many of is numbered by 32 bits. Throws Error beyond them.
inline uint32_t index32(uint64_t value, const char *what) {
  if (value >= std::numeric_limits<uint32_t>::max())
    throw Error(fmt::format("program: expected fewer than 2^32 - 1 {}, found "
                            "{}; split the network over several programs",
                            what, value));
  return static_cast<uint32_t>(value);
}

/// An in-axon with the synapse list that it serves.
struct Axon {
  uint64_t weight = 0;      // first index into weights()
  uint64_t offset = 0;      // first index into offsets(), if not dense
  uint32_t accumulator = 0; // to which the list's offsets are added
  uint32_t count = 0;       // entries of the list
  uint32_t words = 0;       // synapse memory of the list
  uint32_t core = 0;        // index into cores()
  uint16_t delay = 0;       // the field c, in steps
  ListKind kind = ListKind::Dense;
  uint8_t shift = 0;
  bool uniform = false; // one weight for targets side by side
  /// Where entries have delays of their own, in steps beyond `delay`: what
  /// Machine::delays() has of them, counted from 1; else 0.
  uint32_t later = 0;
};

class InAxonTable {
public:
  void reserve(size_t axons) { rows.reserve(axons); }
  /// Axons come core by core. Throws Error where a weight or an offset is
  /// beyond 2^32 - 1.
  void add(const Axon &axon);
  /// Adds an axon's kind, without weights and place, unless it is there.
  /// Returns its index. A table has axons or kinds.
  uint32_t addKind(const Axon &axon);
  size_t size() const { return rows.size(); }

  Axon operator[](size_t index) const {
    const Row &row = rows[index];
    const Shape &shape = shapes[row.shape];
    return {row.weight,  row.offset,    row.accumulator, shape.count,
            shape.words, shape.core,    shape.delay,     shape.kind,
            shape.shift, shape.uniform, shape.later};
  }
  /// The core of an axon alone.
  uint32_t coreOf(size_t index) const { return shapes[rows[index].shape].core; }

private:
  struct Row {
    uint32_t weight = 0, offset = 0, accumulator = 0, shape = 0;
  };
  struct Shape {
    uint32_t count = 0, words = 0, core = 0;
    uint16_t delay = 0;
    ListKind kind = ListKind::Dense;
    uint8_t shift = 0;
    bool uniform = false;
    uint32_t later = 0;
  };
  using Key = std::tuple<uint32_t, uint32_t, uint16_t, ListKind, uint8_t, bool,
                         uint32_t>;

  uint32_t shape(const Axon &axon);

  std::vector<Row> rows;
  std::vector<Shape> shapes;
  std::map<Key, uint32_t> shapeOf; // of the last core
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INAXONTABLE_H
