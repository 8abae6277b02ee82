// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Progress.h"

namespace dendrolith {

Progress::Progress(const SearchControl *control, uint64_t fewest)
    : control(control) {
  now.fewest = fewest;
}

void Progress::begin(const std::string &doing) {
  const std::lock_guard<std::mutex> lock(mutex);
  now.doing = doing;
  tell();
}

void Progress::found(const Evaluation &eval, double value, bool priced) {
  const std::lock_guard<std::mutex> lock(mutex);
  ++now.looked;
  if (now.cores == 0 || value < best) {
    best = value;
    now.cores = eval.cores;
    now.stepNs = eval.stepPs / 1000;
    now.stepPj = priced ? eval.energyPj() : 0;
  }
  tell();
}

bool Progress::mustStop() const {
  return control && control->mustStop && control->mustStop();
}

void Progress::tell() {
  if (control && control->onProgress)
    control->onProgress(now);
}

} // namespace dendrolith
