// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/SearchWatch.h"

#include "runtime/driver/ProgressLine.h"
#include "runtime/driver/Terminal.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <optional>

namespace dendrolith::driver {
namespace {

// Once a user has interrupted a search, further ones of the process end at
// once, too: a compilation may map several forms of a network.
volatile std::sig_atomic_t interrupted = 0;

void noteInterrupt(int) { interrupted = 1; }

std::string describe(const SearchProgress &now) {
  std::string text;
  if (now.cores) {
    text += fmt::format("best of {}: {} cores, {:.4g} us", now.looked,
                        now.cores, now.stepNs / 1000);
    if (now.stepPj > 0)
      text += fmt::format(", {:.4g} nJ", now.stepPj / 1000);
    text += " a step";
    if (now.fewest)
      text += fmt::format(" (bound {} cores)", now.fewest);
    text += "; now ";
  }
  return text + now.doing + "; Ctrl-C takes the best so far";
}

class SearchWatch {
public:
  void begin() {
    line.emplace("mapping");
    if (interrupted)
      return;
    struct sigaction action{};
    action.sa_handler = noteInterrupt;
    // The second one finds the default again and ends the process.
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    sigemptyset(&action.sa_mask);
    struct sigaction now{};
    sigaction(SIGINT, nullptr, &now);
    if (now.sa_handler != SIG_IGN) { // as in a job of the background
      before = now;
      sigaction(SIGINT, &action, nullptr);
    }
  }
  void progress(const SearchProgress &now) {
    line->say(interrupted ? "interrupted, ending; Ctrl-C again ends dendrolith"
                          : describe(now));
  }
  void end(const std::string &cutShort) {
    line.reset();
    if (before)
      sigaction(SIGINT, &*before, nullptr);
    before.reset();
    if (interrupted && !noticed)
      std::raise(SIGINT); // too late for the search: it ends the process
    if (!cutShort.empty())
      terminal().warn({"cut-short", "mapping", cutShort});
  }

  bool mustStop() {
    if (interrupted)
      noticed = true;
    return interrupted != 0;
  }

private:
  std::optional<ProgressLine> line;
  std::atomic<bool> noticed{false};
  std::optional<struct sigaction> before;
};

} // namespace

std::shared_ptr<const SearchControl> watchedSearch() {
  auto watch = std::make_shared<SearchWatch>();
  auto control = std::make_shared<SearchControl>();
  control->onBegin = [watch] { watch->begin(); };
  control->onProgress = [watch](const SearchProgress &now) {
    watch->progress(now);
  };
  control->onEnd = [watch](const std::string &cutShort) {
    watch->end(cutShort);
  };
  control->mustStop = [watch] { return watch->mustStop(); };
  return control;
}

} // namespace dendrolith::driver
