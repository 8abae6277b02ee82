// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds on differences: f[to] >= f[from] + weight for pairs of numbered
// variables. The constraints are a graph, its longest paths the least solution,
// and a cycle of positive weight the proof that there is none.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_DIFFERENCECONSTRAINTS_H
#define DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_DIFFERENCECONSTRAINTS_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dendrolith {

class DifferenceConstraints {
public:
  explicit DifferenceConstraints(unsigned variables) : variables(variables) {}

  /// f[to] >= f[from] + weight. An upper bound is the same with the ends
  /// exchanged and the sign turned.
  void add(unsigned from, unsigned to, int64_t weight) {
    ends.emplace_back(from, to);
    weights.push_back(weight);
  }

  /// The constraints of a cycle that cannot be met, numbered as they were
  /// added, in the order of the cycle and from its lowest variable on. Empty
  /// where there is a solution, which then is in `least`: the smallest one with
  /// f >= 0.
  std::vector<size_t> solve(std::vector<int64_t> &least) const;

  /// How often the last solve() looked at a constraint until it had a solution
  /// or knew that there is none.
  uint64_t constraintsExamined() const { return looks; }

private:
  mutable uint64_t looks = 0;
  unsigned variables;
  std::vector<std::pair<unsigned, unsigned>> ends; // from, to
  std::vector<int64_t> weights;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_DIFFERENCECONSTRAINTS_H
