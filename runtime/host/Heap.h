// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room for much that comes and goes.

#ifndef NEURITE_RUNTIME_HOST_HEAP_H
#define NEURITE_RUNTIME_HOST_HEAP_H

#include <cstddef>

namespace neurite {

/// Lets the next `bytes` of large allocations come from one piece of memory, in
/// pages of 2 MiB where the system has them, which stays with the process when
/// they are freed: otherwise each array has its pages mapped, cleared and
/// returned one by one. Takes no memory before it is used. What is allocated
/// later stays, too: for a process with one large piece of work, not for a
/// library. Nothing happens where the C library or the system has no such
/// means.
void reserveHeap(size_t bytes);

} // namespace neurite

#endif // NEURITE_RUNTIME_HOST_HEAP_H
