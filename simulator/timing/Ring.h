// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A growable first-in first-out ring. A mesh has thousands of short queues;
// std::deque would give each its own pages.

#ifndef NEURITE_SIMULATOR_TIMING_RING_H
#define NEURITE_SIMULATOR_TIMING_RING_H

#include <cstdint>
#include <memory>

namespace neurite::sim {

template <typename T> class Ring {
public:
  bool empty() const { return count == 0; }
  uint32_t size() const { return count; }
  T &front() { return items[head]; }
  const T &front() const { return items[head]; }

  /// Where it lies now.
  T &push(const T &item) {
    if (count == capacity)
      grow();
    return items[(head + count++) & (capacity - 1)] = item;
  }

  T pop() {
    T item = items[head];
    drop();
    return item;
  }

  void drop() {
    head = (head + 1) & (capacity - 1);
    --count;
  }

private:
  __attribute__((noinline)) void grow() {
    // The size is a power of two, so that a mask wraps an index.
    uint32_t size = capacity ? capacity * 2 : 4;
    std::unique_ptr<T[]> larger(new T[size]);
    for (uint32_t i = 0; i < count; ++i)
      larger[i] = items[(head + i) & (capacity - 1)];
    items = std::move(larger);
    capacity = size;
    head = 0;
  }

  std::unique_ptr<T[]> items;
  uint32_t capacity = 0, head = 0, count = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_RING_H
