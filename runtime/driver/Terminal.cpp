// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Terminal.h"

#include "compiler/mapping/network/MappingOptions.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <poll.h>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace dendrolith::driver {
namespace {

/// Characters of a line of the terminal.
size_t width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
    return 80;
  return size.ws_col;
}

} // namespace

ProgressLine::ProgressLine(std::string work)
    : work(std::move(work)), terminal(isatty(STDERR_FILENO)),
      start(Clock::now()), last(start) {}

ProgressLine::~ProgressLine() {
  if (shown)
    std::fputs("\r\033[K", stderr);
}

bool ProgressLine::isTooSoon() const {
  return Clock::now() - last < std::chrono::milliseconds(100);
}

void ProgressLine::write(const std::string &text) {
  last = Clock::now();
  shown = true;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

void ProgressLine::show(uint64_t done, uint64_t total) {
  if (!terminal || total == 0 || (isTooSoon() && done != total))
    return;
  const double elapsed =
      std::chrono::duration<double>(Clock::now() - start).count();
  std::string text =
      fmt::format("{}: {:3.0f} % ({} of {})", work,
                  100.0 * double(done) / double(total), done, total);
  // The first pieces bear what all share, and would promise minutes.
  if (elapsed > 1 && done > 0)
    text += fmt::format(", {:.0f} s left",
                        elapsed * double(total - done) / double(done));
  write(text);
}

void ProgressLine::say(const std::string &text) {
  if (!terminal || isTooSoon())
    return;
  const double elapsed =
      std::chrono::duration<double>(Clock::now() - start).count();
  write(fmt::format("{}, {:.0f} s: {}", work, elapsed, text)
            .substr(0, width() - 1));
}

session::Listener terminal() {
  session::Listener listener;
  listener.onWarning = [](const Warning &warning) {
    std::fprintf(stderr, "warning: %s\n", shortened(lineOf(warning)).c_str());
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

static std::shared_ptr<const SearchControl> watchedSearch() {
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

void useTerminal(session::ModelRequest &request) {
  request.listener = terminal();
  request.compile.control = watchedSearch();
  request.compile.threads = 0; // a command has the processors for itself
}

FILE *takeStandardOutput() {
  const int own = ::dup(STDOUT_FILENO);
  FILE *answers = own < 0 ? nullptr : ::fdopen(own, "w");
  if (!answers || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Error(std::string("cannot answer on standard output: ") +
                std::strerror(errno));
  return answers;
}

// The thread that looks takes no signals: the main one could end with 0 while
// it handles one.
void endWithReaderOf(FILE *answers) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([descriptor = ::fileno(answers)] {
    pollfd reader{descriptor, 0, 0};
    while (::poll(&reader, 1, -1) < 0 && errno == EINTR) {
    }
    if (reader.revents & POLLERR)
      ::kill(::getpid(), SIGTERM);
  }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace dendrolith::driver
