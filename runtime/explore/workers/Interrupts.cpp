// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Interrupts.h"

namespace dendrolith::explore {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t caught = 0, last = 0;

extern "C" void catchSignal(int signal) {
  caught = caught + 1;
  last = signal;
}

} // namespace

Interrupts::Interrupts() {
  caught = 0;
  struct sigaction now{};
  now.sa_handler = catchSignal;
  for (int i = 0; i < 2; ++i) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    // The parent of this process may want it to ignore a signal.
    if (before[i].sa_handler != SIG_IGN)
      ::sigaction(kSignals[i], &now, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (int i = 0; i < 2; ++i)
    ::sigaction(kSignals[i], &before[i], nullptr);
}

int Interrupts::count() const { return caught; }

void Interrupts::pass() {
  for (int i = 0; i < 2; ++i)
    ::sigaction(kSignals[i], &before[i], nullptr);
  ::raise(last);
}

} // namespace dendrolith::explore
