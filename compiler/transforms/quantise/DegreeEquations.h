// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear equations among whole numbers, one for each value of a step body.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_DEGREEEQUATIONS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_DEGREEEQUATIONS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <utility>
#include <vector>

namespace dendrolith {

class DegreeEquations {
public:
  using Terms = std::vector<std::pair<mlir::Value, int>>;

  /// The sum of value times factor is `sum`.
  void add(Terms terms, int sum) { equations.push_back({terms, sum}); }
  /// Two values have one number.
  void unite(mlir::Value a, mlir::Value b);
  /// Where the equations leave a choice, numbers of higher rank are 0; the
  /// highest rank of the values that have one number counts.
  void rank(mlir::Value value, unsigned as);

  /// None where there is no solution, or none in small whole numbers.
  std::optional<llvm::DenseMap<mlir::Value, int>> solve();

private:
  struct Equation {
    Terms terms;
    int sum;
  };
  unsigned node(mlir::Value value);
  unsigned find(unsigned node) const;
  std::vector<unsigned> columnsByRank(unsigned &columns) const;

  llvm::DenseMap<mlir::Value, unsigned> nodes;
  std::vector<unsigned> parent, ranks; // by node
  std::vector<Equation> equations;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_DEGREEEQUATIONS_H
