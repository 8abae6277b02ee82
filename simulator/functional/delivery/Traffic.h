// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emissions cause at the cores they reach, in the form in which it is
// counted.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_TRAFFIC_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_TRAFFIC_H

#include "runtime/image/Tables.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// What serving one message takes.
struct Delivery {
  uint32_t core = 0;             // index into the machine's cores
  uint32_t population = 0;       // the one that its first entry reaches
  uint32_t count = 0, words = 0; // entries of its list, and memory words
  uint32_t nonZero = 0;          // entries with a weight other than 0
  ListKind kind = ListKind::Dense;
};

/// The sources first, first + stride, and so on, `count` of them.
struct SourceRange {
  uint32_t first = 0, count = 0, stride = 1;
};

/// All messages that the sources of a program can send, by kind: those of one
/// kind cause the same where they are served.
class Traffic {
public:
  virtual ~Traffic() = default;

  virtual size_t kinds() const = 0;
  virtual Delivery delivery(size_t kind) const = 0;

  struct Messages {
    size_t kind = 0;
    uint64_t count = 0;
  };
  /// How many messages of each kind there are if each source of the range emits
  /// times[source] times. A kind may come more than once.
  virtual std::vector<Messages> sum(SourceRange sources,
                                    const uint64_t *times) const = 0;

  /// Sets `kinds` to those of the messages that one emission of a source sends,
  /// one entry for each message.
  virtual void kindsOf(uint32_t source, std::vector<size_t> &kinds) const = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_TRAFFIC_H
