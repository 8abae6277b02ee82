// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer to "does this network fit that chip?". A network that does not fit
// is a good answer, after which the caller may try another form of it; Error is
// kept for what is wrong with the question.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_FIT_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_FIT_H

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace dendrolith {

/// The fewest cores of the mappings that were found; 0 where none was sought.
struct CoresFound {
  uint64_t inOrder = 0;   ///< neurons stay in the given order
  uint64_t regrouped = 0; ///< neurons go to any core
  /// The search in order ended when it had come to `inOrder`.
  bool orMore = false;
  /// There are more than twice as many full slices in that order as cores, so
  /// that cutting anew cannot help.
  bool noneInOrder = false;
  std::string neediest = {}; ///< which neuron needs most, as a clause
};

/// Why a network does not fit a chip.
struct Misfit {
  std::string resource;   ///< as in the fit table; also "delay" and "cores"
  std::string population; ///< the one that takes most of it; may be empty
  uint64_t used = 0, limit = 0;
  std::string message; ///< all of this for people, with what would make it fit
  /// The message as a clause of another one; empty where that is no shorter.
  std::string brief = {};
  /// One neuron alone exceeds a core.
  bool oneNeuron = false;
  /// Cores below which there is no mapping (Bounds.h); 0 where not counted.
  uint64_t bound = 0;
  CoresFound found = {};

  const std::string &clause() const { return brief.empty() ? message : brief; }
};

/// A solution, or the reason why there is none.
template <class Solution> class [[nodiscard]] Fit {
public:
  Fit(Solution solution) : answer(std::move(solution)) {}
  Fit(Misfit misfit) : answer(std::move(misfit)) {}

  explicit operator bool() const {
    return std::holds_alternative<Solution>(answer);
  }
  Solution &operator*() { return std::get<Solution>(answer); }
  Solution *operator->() { return &**this; }
  /// Only where there is no solution.
  const Misfit &misfit() const { return std::get<Misfit>(answer); }

private:
  std::variant<Solution, Misfit> answer;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_FIT_H
