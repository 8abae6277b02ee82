// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emissions cause at the cores they reach, for counting.

#ifndef NEURITE_SIMULATOR_EVENTS_TRAFFIC_H
#define NEURITE_SIMULATOR_EVENTS_TRAFFIC_H

#include "runtime/Tables.h"

#include <cstdint>
#include <functional>

namespace neurite::sim {

/// One message where it is served.
struct Delivery {
  uint32_t core = 0;                          // index into the machine's cores
  uint32_t count = 0, words = 0, nonZero = 0; // of the list, its entries
  ListKind kind = ListKind::Dense;
};

/// Sources first, first + stride, ...
struct SourceRange {
  uint32_t first = 0, count = 0, stride = 1;
};

class Traffic {
public:
  using Visit = std::function<void(const Delivery &, uint64_t)>;
  virtual ~Traffic() = default;

  /// Calls visit(delivery, n) such that each message of each source of the
  /// range is among them times[source] times; equal ones may come together.
  virtual void sum(SourceRange sources, const uint64_t *times,
                   const Visit &visit) const = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_EVENTS_TRAFFIC_H
