// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command that a launcher such as mpirun has started several times, which
// then acts as one: the first process prints and writes, an error of any of
// them ends all, and all end with the same status.

#ifndef DENDROLITH_RUNTIME_HOST_STARTRANKS_H
#define DENDROLITH_RUNTIME_HOST_STARTRANKS_H

#include "runtime/host/Agree.h"

#include <memory>
#include <string>

namespace dendrolith {

/// How many processes a launcher has started with this one, as its variables
/// in the environment say; 1 where there was none.
unsigned launchedProcesses();

/// How many of them are on this machine; 1 where nobody says.
unsigned processesHere();

/// MPI's module where a build and an installation have it; "" where it is not.
std::string modulePath();

/// What to do where it is not.
std::string howToGetMpi();

/// The processes started with this one; null where it is alone. Throws Error
/// where there are several but MPI's module is not there: each would do the
/// whole work, and write to the same files.
std::unique_ptr<Ranks> startRanks();

/// One command on several ranks, from its start to its end.
class RankedCommand {
public:
  /// From here on only the first rank writes to standard output and error.
  explicit RankedCommand(std::unique_ptr<Ranks> ranks);

  /// That of this process; null where it is alone.
  static RankedCommand *current();

  Ranks &ranks() { return *all; }

  /// Thrown by a rank other than the first, which has nothing more to do once
  /// the run is over.
  struct Done {};

  /// Once a run is read: all have this in common, or all throw the Error that
  /// says who differs in what. One that failed before is that Error.
  void agreeOn(const std::vector<Common> &common);
  /// Before the first step: all are ready for it, or all throw the Error that
  /// the first of them by number gives which is not.
  void begin();
  /// The run has come so far. Said where a signal ends it.
  static void at(uint64_t steps);
  /// After the run: the first rank goes on, the others throw Done.
  void end();

  /// Returns the status of all. `error` is what this rank has to say of its own
  /// failure, if it has not been said; the text returned through it is for the
  /// first rank to print.
  int agree(int status, std::string &error);
  /// The last that main() calls: waits for all to have said what they had to
  /// say.
  void finish();

private:
  enum class State { Before, Agreed, Running, Refused, Over };

  /// Goes on to a state, or throws what keeps the ranks from it.
  void advance(State to, const Readiness &mine);
  std::unique_ptr<Ranks> all;
  State state = State::Before;
  int ownError; // standard error as it was
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_STARTRANKS_H
