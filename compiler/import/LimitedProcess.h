// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_IMPORT_LIMITEDPROCESS_H
#define NEURITE_COMPILER_IMPORT_LIMITEDPROCESS_H

#include <cstdint>

namespace neurite {

/// Called in a child that reads an untrusted file: from then on it ends with
/// its parent, leaves no core dump, and may use so many bytes beyond what is
/// mapped already and so much processor time.
void limitProcess(uint64_t memoryBytes, uint32_t cpuSeconds);

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_LIMITEDPROCESS_H
