// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command says on a terminal while it works: warnings, findings, lines
// of progress, and the mapper's search, which Ctrl-C ends; and over a pipe.

#ifndef DENDROLITH_RUNTIME_DRIVER_TERMINAL_H
#define DENDROLITH_RUNTIME_DRIVER_TERMINAL_H

#include "runtime/session/ModelRequest.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace dendrolith::driver {

/// Prints findings to standard output and warnings to standard error. Where
/// that is a terminal, work has a line of progress there, which goes when the
/// work ends.
session::Listener terminal();

/// A request of a command: its warnings go to the terminal, it takes all
/// processors, and while the mapper searches, a line of progress is shown. The
/// first SIGINT ends that search with the best mapping so far, of which a
/// warning tells; the second one ends the process, as at any other time.
void useTerminal(session::ModelRequest &request);

/// One line of progress on standard error, which goes when this does. Elsewhere
/// than on a terminal nothing is shown.
class ProgressLine {
public:
  explicit ProgressLine(std::string work);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Shows done/total and the time left, at most ten times a second.
  void show(uint64_t done, uint64_t total);
  /// Shows a text and the time since the work began, as much of it as the
  /// terminal is wide, at most ten times a second.
  void say(const std::string &text);

private:
  bool isTooSoon() const;
  void write(const std::string &text);

  using Clock = std::chrono::steady_clock;
  std::string work;
  bool terminal, shown = false;
  Clock::time_point start, last;
};

// A process that answers another one over a pipe.

/// Answers get a descriptor of their own, and whatever else prints to standard
/// output in this process joins the messages, so that nothing can come between.
/// Throws Error.
FILE *takeStandardOutput();

/// Ends this process, as a signal does, once nobody can read its answers: who
/// asked may have been killed in the middle of a run of hours.
void endWithReaderOf(FILE *answers);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_TERMINAL_H
