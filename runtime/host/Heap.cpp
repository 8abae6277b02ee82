// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Heap.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace neurite {

static constexpr size_t kPage = size_t(2) << 20;

/// The first multiple of a page at or after `at`.
static uintptr_t pageFrom(const void *at) {
  return (reinterpret_cast<uintptr_t>(at) + kPage - 1) / kPage * kPage;
}

/// Asks for large pages. `first` is a multiple of kPage.
static void useHugePages(uintptr_t first, size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(reinterpret_cast<void *>(first), bytes, MADV_HUGEPAGE);
#else
  (void)first, (void)bytes;
#endif
}

// Sanitizers bring a heap of their own.
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void reserveHeap(size_t bytes) {
  constexpr int most = std::numeric_limits<int>::max();
  bytes = std::min(bytes, size_t(most) - 2 * kPage);
  // The end of the heap serves what fits it before anything is mapped apart.
  // So let it grow, and not shrink.
  mallopt(M_TRIM_THRESHOLD, most);
  mallopt(M_MMAP_MAX, 0);
  void *end = std::malloc(bytes);
  mallopt(M_MMAP_MAX, 1 << 16);
  if (!end)
    return;
  const auto at = reinterpret_cast<uintptr_t>(end);
  const uintptr_t first = pageFrom(end);
  if (first < at + bytes)
    useHugePages(first, at + bytes - first);
  std::free(end);
}
#else
void reserveHeap(size_t) {}
#endif

void returnFreed() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

HugeArray::~HugeArray() {
  if (mapping)
    munmap(mapping, mapped);
}

void HugeArray::reserve(size_t count) {
  if (count == 0)
    return;
  // There is room to begin at a multiple of 2 MiB; what is never touched takes
  // no memory.
  mapped = count * sizeof(uint32_t) + kPage;
  mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    throw std::bad_alloc();
  }
  reserved = count;
  const uintptr_t first = pageFrom(mapping);
  words = reinterpret_cast<uint32_t *>(first);
  // Small arrays would take more memory than they hold.
  if (count * sizeof(uint32_t) >= kPage)
    useHugePages(first, count * sizeof(uint32_t));
}

} // namespace neurite
