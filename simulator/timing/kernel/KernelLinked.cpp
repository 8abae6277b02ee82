// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/kernel/Kernel.h"

namespace dendrolith::sim {

void loadKernel() {}

RunResult elapse(Chip &chip, const Compare &compare) {
  RunResult result;
  dendrolithElapse(chip, compare, result);
  return result;
}

std::vector<std::string> programFiles() { return {"/proc/self/exe"}; }

} // namespace dendrolith::sim
