// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A growable first-in first-out ring. A mesh has thousands of short queues;
// std::deque would give each its own pages.

#ifndef NEURITE_SIMULATOR_TIMING_RING_H
#define NEURITE_SIMULATOR_TIMING_RING_H

#include <cstddef>
#include <vector>

namespace neurite::sim {

template <typename T> class Ring {
public:
  bool empty() const { return count == 0; }
  size_t size() const { return count; }
  T &front() { return items[head]; }
  const T &front() const { return items[head]; }

  void push(const T &item) {
    if (count == items.size())
      grow();
    items[(head + count++) & (items.size() - 1)] = item;
  }

  T pop() {
    T item = items[head];
    head = (head + 1) & (items.size() - 1);
    --count;
    return item;
  }

private:
  void grow() {
    // The size is a power of two, so that a mask wraps an index.
    std::vector<T> larger(items.empty() ? 4 : items.size() * 2);
    for (size_t i = 0; i < count; ++i)
      larger[i] = items[(head + i) & (items.size() - 1)];
    items.swap(larger);
    head = 0;
  }

  std::vector<T> items;
  size_t head = 0, count = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_RING_H
