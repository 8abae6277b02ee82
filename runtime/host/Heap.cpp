// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Heap.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace dendrolith {

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

void returnFreed() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// A mapping of its own, of which pages count that are written.
static void *mapZeros(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return memory;
}

// Below this, an array comes from the heap, as memory of the system's comes
// page by page.
static constexpr size_t kMapped = size_t(1) << 18;

void *takeZeroed(size_t bytes) {
  if (bytes >= kMapped)
    return mapZeros(bytes);
  if (void *memory = std::calloc(1, bytes))
    return memory;
  throw std::bad_alloc();
}

void giveZeroed(void *memory, size_t bytes) {
  if (bytes >= kMapped)
    munmap(memory, bytes);
  else
    std::free(memory);
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
  mapping = mapZeros(mapped);
  reserved = count;
  const uintptr_t first = pageFrom(mapping);
  words = reinterpret_cast<uint32_t *>(first);
  // Small arrays would take more memory than they hold.
  if (count * sizeof(uint32_t) >= kPage)
    useHugePages(first, count * sizeof(uint32_t));
}

} // namespace dendrolith
