// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/kernel/Kernel.h"

namespace neurite::sim {

void loadKernel() {}

RunResult elapse(Chip &chip, const Compare &compare) {
  RunResult result;
  neuriteElapse(chip, compare, result);
  return result;
}

std::vector<std::string> programFiles() { return {"/proc/self/exe"}; }

} // namespace neurite::sim
