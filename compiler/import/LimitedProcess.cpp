// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/LimitedProcess.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace neurite {

static uint64_t mappedBytes() {
  uint64_t pages = 0;
  if (FILE *statm = std::fopen("/proc/self/statm", "r")) {
    unsigned long value = 0;
    if (std::fscanf(statm, "%lu", &value) == 1)
      pages = value;
    std::fclose(statm);
  }
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

static void limit(__rlimit_resource_t resource, uint64_t value) {
  rlimit now;
  if (::getrlimit(resource, &now) != 0)
    return;
  // The hard limit stays above the soft one, so that a child out of processor
  // time dies of SIGXCPU and can be told from one that was killed.
  now.rlim_cur = std::min({rlim_t(value), now.rlim_cur, now.rlim_max});
  ::setrlimit(resource, &now);
}

void limitProcess(uint64_t memoryBytes, uint32_t cpuSeconds) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, cpuSeconds);
  limit(RLIMIT_AS, mappedBytes() + memoryBytes);
}

} // namespace neurite
