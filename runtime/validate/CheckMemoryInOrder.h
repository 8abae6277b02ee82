// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of a core's memory whose lists and in-axons come in the order in
// which a compiler numbers them: nothing is unpacked, and no branch is taken
// for a list.
//
// The plain twin is the check of every list and in-axon in CheckMemory.cpp,
// which also words what is wrong. CheckMemoryTest holds both to the same
// verdict. tests/bench/study.py shows the gain ("load s"): with the twin,
// loading an image takes 2.1 to 2.4 times as long (random networks) or 1.1
// times (the local one).

#ifndef DENDROLITH_RUNTIME_VALIDATE_CHECKMEMORYINORDER_H
#define DENDROLITH_RUNTIME_VALIDATE_CHECKMEMORYINORDER_H

#include "runtime/image/Tables.h"
#include "runtime/validate/Check.h"

#include <vector>

namespace dendrolith::check {

/// A core's memory where it lies packed.
struct MemoryTables {
  PackedLists lists;
  PackedNumbers weights, offsets;
  PackedInAxons axons;
};

/// Sets shifts and delay of `result`. False if the tables are not in order, or
/// if something is wrong with them: what it is, the other check says.
bool checkMemoryInOrder(const MemoryTables &tables,
                        const std::vector<AccumulatorRange> &used,
                        CoreTables &result);

} // namespace dendrolith::check

#endif // DENDROLITH_RUNTIME_VALIDATE_CHECKMEMORYINORDER_H
