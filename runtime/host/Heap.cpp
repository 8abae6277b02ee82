// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Heap.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#endif

// Sanitizers bring a heap of their own.
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void neurite::reserveHeap(size_t bytes) {
  constexpr size_t page = size_t(2) << 20;
  constexpr int most = std::numeric_limits<int>::max();
  bytes = std::min(bytes, size_t(most) - 2 * page);
  // The end of the heap serves what fits it before anything is mapped apart.
  // So let it grow, and not shrink.
  mallopt(M_TRIM_THRESHOLD, most);
  mallopt(M_MMAP_MAX, 0);
  void *end = std::malloc(bytes);
  mallopt(M_MMAP_MAX, 1 << 16);
  if (!end)
    return;
  const auto at = reinterpret_cast<uintptr_t>(end);
  const uintptr_t first = (at + page - 1) / page * page;
  if (first < at + bytes)
    madvise(reinterpret_cast<void *>(first), at + bytes - first, MADV_HUGEPAGE);
  std::free(end);
}
#else
void neurite::reserveHeap(size_t) {}
#endif
