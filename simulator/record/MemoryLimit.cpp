// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/MemoryLimit.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace dendrolith::sim {

__extension__ using WideSize = unsigned __int128;

static uint64_t memoryOfMachine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? uint64_t(pages) * uint64_t(bytes)
                                : UINT64_MAX;
}

uint64_t reserveValues(uint64_t &used, uint64_t samples, uint64_t ticks,
                       uint64_t width, const std::string &name) {
  const uint64_t memory = memoryOfMachine(),
                 most =
                     std::min(uint64_t(1) << 31, memory / 2 / sizeof(double));
  const WideSize size = WideSize(samples) * ticks * width;
  if (size + used > most)
    throw Error(fmt::format(
        "'{}': expected outputs and traces of at most {} values together ({} "
        "GB), found {} samples x {} ticks x {}, which with what else is "
        "recorded take {:.3g} GB; run fewer samples or ticks, or trace fewer "
        "nodes",
        name, most, double(most * sizeof(double) / 100000000) / 10, samples,
        ticks, width, double(size + used) * sizeof(double) / 1e9));
  used += static_cast<uint64_t>(size);
  return static_cast<uint64_t>(size);
}

} // namespace dendrolith::sim
