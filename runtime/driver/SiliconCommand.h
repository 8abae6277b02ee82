// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands `silicon` and `calibrate` share: files of measurements, and
// the folder in which their networks are run.

#ifndef DENDROLITH_RUNTIME_DRIVER_SILICONCOMMAND_H
#define DENDROLITH_RUNTIME_DRIVER_SILICONCOMMAND_H

#include "runtime/driver/OutputFiles.h"
#include "runtime/explore/silicon/Workbench.h"
#include "runtime/options/Options.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::driver {

struct MeasuredFlags {
  std::vector<std::string> files; ///< none: those that are shipped
  std::string models;             ///< a folder; empty: one for this process
};

void bindMeasured(options::CommandOptions &options, MeasuredFlags &flags);

/// Throws Error.
std::vector<silicon::Measurements>
loadMeasured(const std::vector<std::string> &files);

/// A workbench in the folder of --models, or in one that goes with this.
class SiliconBench {
public:
  explicit SiliconBench(const std::string &models);
  silicon::Workbench &bench() { return *made; }

private:
  std::optional<ScratchFolder> scratch;
  std::optional<silicon::Workbench> made;
};

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_SILICONCOMMAND_H
