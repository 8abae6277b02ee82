// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/delivery/HugePages.h"

#include <new>
#include <sys/mman.h>

namespace neurite::sim {

static constexpr size_t kHuge = size_t(2) << 20;

HugeArray::~HugeArray() {
  if (mapping)
    munmap(mapping, mapped);
}

void HugeArray::reserve(size_t count) {
  if (count == 0)
    return;
  // Room to begin at a multiple of 2 MiB; what is never touched takes nothing.
  mapped = count * sizeof(uint32_t) + kHuge;
  mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    throw std::bad_alloc();
  }
  reserved = count;
  auto at = reinterpret_cast<uintptr_t>(mapping);
  at = (at + kHuge - 1) / kHuge * kHuge;
  words = reinterpret_cast<uint32_t *>(at);
#ifdef MADV_HUGEPAGE
  // Small arrays would take more memory than they hold.
  if (count * sizeof(uint32_t) >= kHuge)
    madvise(words, count * sizeof(uint32_t), MADV_HUGEPAGE);
#endif
}

} // namespace neurite::sim
