// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/FlitBuffer.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace dendrolith {
namespace {

/// The plain twin: flits in a queue, and slots in another one in the order in
/// which they are taken.
struct PlainBuffer {
  explicit PlainBuffer(size_t slots) : usable(slots, 0) {}
  uint64_t room() const { return usable.empty() ? never : usable.front(); }
  void enter(const FlitBuffer::Flit &flit) {
    flits.push_back(flit);
    usable.pop_front();
  }
  void leave(uint64_t slotUsable) {
    flits.pop_front();
    usable.push_back(slotUsable);
  }
  std::deque<FlitBuffer::Flit> flits;
  std::deque<uint64_t> usable;
};

TEST(FlitBuffer, DoesWhatTwoQueuesDo) {
  std::mt19937 random(1);
  FlitBuffer buffer;
  for (size_t slots : {1u, 2u, 5u, 5u, 64u}) {
    SCOPED_TRACE(slots);
    buffer.reset(slots);
    PlainBuffer plain(slots);
    for (uint32_t i = 0; i < 2000; ++i) {
      if (random() % 2 && !buffer.full()) {
        const FlitBuffer::Flit flit{random(), i, uint32_t(random() % 9),
                                    uint32_t(random() % 5)};
        buffer.enter(flit);
        plain.enter(flit);
      } else if (!buffer.empty()) {
        const uint64_t when = random();
        buffer.leave(when);
        plain.leave(when);
      }
      ASSERT_EQ(buffer.empty(), plain.flits.empty());
      ASSERT_EQ(buffer.full(), plain.usable.empty());
      ASSERT_EQ(buffer.room(), plain.room());
      if (buffer.empty())
        continue;
      ASSERT_EQ(buffer.front().at, plain.flits.front().at);
      ASSERT_EQ(buffer.front().service, plain.flits.front().service);
      ASSERT_EQ(buffer.front().to, plain.flits.front().to);
      ASSERT_EQ(buffer.front().out, plain.flits.front().out);
    }
  }
}

} // namespace
} // namespace dendrolith
