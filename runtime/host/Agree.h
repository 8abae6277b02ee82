// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes that are to run one network together first say what they are about
// to run. Where one has other inputs than another, their steps would mix two
// runs, or wait for each other for ever.

#ifndef DENDROLITH_RUNTIME_HOST_AGREE_H
#define DENDROLITH_RUNTIME_HOST_AGREE_H

#include "runtime/host/Ranks.h"

#include <string>
#include <vector>

namespace dendrolith {

/// Something that all ranks must have in common: "input 'x'", a digest of it,
/// and how a message names what this rank has, such as its file.
struct Common {
  std::string what, value, shown;
};

/// What a rank has to say of a piece of work that each did by itself.
struct Readiness {
  /// An Ended rank has nothing to run, as where it was asked for help.
  enum Kind : char { Failed = 'f', Ended = 'e', Ready = 'r' };
  Kind kind = Ready;
  std::string failure;
  std::vector<Common> common;
};

/// Why the ranks cannot go on together, by rank: the failure of the first that
/// has one, or what the first differs in that is not as rank 0; "" where they
/// can. Of a rank other than 0 the text begins with its number.
std::string disagreementOf(const std::vector<Readiness> &all);

/// The same of what each rank says, on all ranks.
std::string disagreement(Ranks &ranks, const Readiness &mine);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_AGREE_H
