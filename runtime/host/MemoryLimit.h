// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of memory as an error. A system that has none left kills whoever asks
// for more, without a word; so a process asks for no more than there is, and is
// told by std::bad_alloc.

#ifndef DENDROLITH_RUNTIME_HOST_MEMORYLIMIT_H
#define DENDROLITH_RUNTIME_HOST_MEMORYLIMIT_H

#include <cstdint>
#include <optional>
#include <string>

namespace dendrolith {

/// Bytes that this process and its group of processes (cgroup v2) can still
/// take before something is killed, swap included. Nothing where the system
/// does not tell.
std::optional<uint64_t> freeMemory();

/// Makes this process fail to allocate beyond what is free now. For main()
/// alone; a lower limit that is there (`ulimit -d`) stays. Returns what may be
/// taken, in bytes, or nothing where there is no limit. So many processes share
/// what is free.
std::optional<uint64_t> limitMemory(unsigned processes = 1);

/// What free memory the text of /proc/meminfo, and of a group's memory.max,
/// memory.current and memory.stat tell of; all but the first may be empty.
std::optional<uint64_t> freeMemoryOf(const std::string &meminfo,
                                     const std::string &max,
                                     const std::string &current,
                                     const std::string &stat);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_MEMORYLIMIT_H
