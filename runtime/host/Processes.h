// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a process that left something behind is still there.

#ifndef DENDROLITH_RUNTIME_HOST_PROCESSES_H
#define DENDROLITH_RUNTIME_HOST_PROCESSES_H

#include <cstdint>
#include <string>

namespace dendrolith {

/// When a process of this machine began, in ticks since the machine did:
/// another one that is given the same number began at another time. "" where
/// there is none, or only what is left of one that nobody has waited for.
std::string beginOf(int64_t pid);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_PROCESSES_H
