// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIGINT and SIGTERM while work goes on: the first asks for an end when the
// current points are finished, the second one ends at once.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_INTERRUPTS_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_INTERRUPTS_H

#include <csignal>

namespace dendrolith::explore {

/// Counts the signals while it lives; there is one at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  int count() const;
  /// Does what the last signal would have done without this.
  void pass();

private:
  struct sigaction before[2];
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_INTERRUPTS_H
