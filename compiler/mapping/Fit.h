// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer to "does this network fit that chip?". A network that does not fit
// is a good answer, after which the caller may try another form of it; Error is
// kept for what is wrong with the question.

#ifndef NEURITE_COMPILER_MAPPING_FIT_H
#define NEURITE_COMPILER_MAPPING_FIT_H

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace neurite {

/// Why a network does not fit a chip.
struct Misfit {
  std::string resource;   ///< as in the fit table; also "delay" and "cores"
  std::string population; ///< the one that takes most of it; may be empty
  uint64_t used = 0, limit = 0;
  std::string message; ///< all of this for people, with what would make it fit
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

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_FIT_H
