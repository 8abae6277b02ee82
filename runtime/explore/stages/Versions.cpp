// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Versions.h"

#include "runtime/host/Files.h"
#include "simulator/timing/kernel/Kernel.h"

namespace dendrolith::explore {

// It rises when the same design gets other numbers.
static constexpr int kResults = 1;

std::string versionOfResults() {
  return DENDROLITH_VERSION "/" + std::to_string(kResults);
}

const std::string &versionOfBuild() {
  static const std::string hash = [] {
    std::string all;
    for (const std::string &file : sim::programFiles())
      all += sha256OfFile(file, uint64_t(1) << 40);
    return all;
  }();
  return hash;
}

} // namespace dendrolith::explore
