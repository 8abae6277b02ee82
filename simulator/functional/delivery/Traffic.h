// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emissions cause at the cores they reach, for counting.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_TRAFFIC_H
#define NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_TRAFFIC_H

#include "runtime/image/Tables.h"

#include <cstdint>
#include <vector>

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
  virtual ~Traffic() = default;

  /// Messages of one kind cause the same where they are served.
  virtual size_t kinds() const = 0;
  virtual Delivery delivery(size_t kind) const = 0;

  struct Messages {
    size_t kind = 0;
    uint64_t count = 0;
  };
  /// Each message of each source of the range times[source] times; those of a
  /// kind may come together.
  virtual std::vector<Messages> sum(SourceRange sources,
                                    const uint64_t *times) const = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_TRAFFIC_H
