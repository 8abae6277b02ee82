// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several processes that run one network together, each with its part, perhaps
// on several machines. They are numbered from 0, and all call the same of these
// functions in the same order: whoever calls one that others do not, waits for
// ever. Only one thread of a process may call.
//
// This is what a run needs of MPI, and no more, so that nothing else here knows
// MPI: runtime/host/mpi has it, in a module that is loaded only where a
// launcher such as mpirun has started the process (StartRanks.h).

#ifndef DENDROLITH_RUNTIME_HOST_RANKS_H
#define DENDROLITH_RUNTIME_HOST_RANKS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

class Ranks {
public:
  virtual ~Ranks() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  bool first() const { return rank() == 0; }

  /// Begins to send `to[r]` to every rank r, and returns at once where it can;
  /// what is to be sent stays as it is until end(). Ranks need not have as much
  /// to say to each other: no bytes are sent where there are none.
  virtual void begin(const std::vector<std::string> &to) = 0;
  /// Waits for all that begin() of the others sends here, and for its own to be
  /// gone. `from` is by rank.
  virtual void end(std::vector<std::string> &from) = 0;

  /// All ranks but the first send to it; the first receives from each.
  virtual void send(std::string_view bytes) = 0;
  virtual std::string receive(unsigned from) = 0;
  /// The first rank's bytes for all.
  virtual void broadcast(std::string &bytes) = 0;

  /// The last that a process calls: waits for all.
  virtual void finish() = 0;
  /// Ends all processes at once, wherever they are.
  [[noreturn]] virtual void abort(int status) = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_RANKS_H
