// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers on a cluster: one job array whose tasks share the store.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_SLURM_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_SLURM_H

#include "runtime/explore/store/Store.h"

#include <string>

namespace dendrolith::explore {

struct SlurmRequest {
  std::string program;   ///< this command's file, which the nodes see, too
  std::string arguments; ///< for sbatch, as a shell reads them
  uint64_t tasks = 0;    ///< 0: as many as make sense
};

/// Writes the script of a task into the store and submits the array. Returns
/// the job's number and how many tasks it has; throws Error where sbatch is not
/// there or refuses. A task that is ended and queued again goes on where the
/// store is.
struct Submitted {
  std::string job;
  uint64_t tasks = 0;
};
Submitted submit(const Store &store, const SlurmRequest &request);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_SLURM_H
