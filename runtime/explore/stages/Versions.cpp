// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Versions.h"

#include "runtime/host/Files.h"
#include "simulator/timing/kernel/Kernel.h"

namespace neurite::explore {

// It rises when the same design gets other numbers.
static constexpr int kResults = 1;

std::string versionOfResults() {
  return NEURITE_VERSION "/" + std::to_string(kResults);
}

const std::string &versionOfBuild() {
  static const std::string hash = [] {
    constexpr uint64_t kAnySize = uint64_t(1) << 40;
    std::string all = sha256OfFile("/proc/self/exe", kAnySize);
    // A part of the engines may be a file of its own.
    if (const std::string file = sim::kernelFile(); !file.empty())
      all += sha256OfFile(file, kAnySize);
    return all;
  }();
  return hash;
}

} // namespace neurite::explore
