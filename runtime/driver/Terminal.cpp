// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Terminal.h"

#include "runtime/driver/ProgressLine.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {

session::Listener terminal() {
  session::Listener listener;
  listener.onWarning = [](const Warning &warning) {
    std::fprintf(stderr, "warning: %s\n", lineOf(warning).c_str());
  };
  listener.onFinding = [](const std::string &line) {
    std::printf("%s\n", line.c_str());
  };
  listener.onWork = [](const std::string &work) -> session::Progress {
    auto line = std::make_shared<ProgressLine>(work);
    return [line](uint64_t done, uint64_t total) { line->show(done, total); };
  };
  return listener;
}

} // namespace dendrolith::driver
