// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which units a step body may count: what becomes of its values when one of
// its ports is measured in another unit.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_DEGREES_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_DEGREES_H

#include "dialects/dend/Dend.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <utility>
#include <vector>

namespace dendrolith {

/// A whole number k for each real value of a body: where a port is multiplied
/// by f > 0, and each parameter, initial state and other port by its f^k, every
/// value becomes f^k times what it was, exactly in reals, and all spikes stay.
/// A product adds the degrees of its factors; what is added, compared or chosen
/// between has one degree; numbers of the body but 0, and what a function is
/// taken of, have degree 0.
class Degrees {
public:
  /// The degrees of a model whose structure ops are expanded, such that the
  /// port has degree 1. Where the body leaves a choice, other ports, then
  /// outputs, then states have degree 0 rather than parameters. None where the
  /// body has no such freedom.
  static std::optional<Degrees> of(dend::NeuronOp model, llvm::StringRef port);

  /// The degree of a value; 0 for one that is not real, and for the constant 0.
  int of(mlir::Value value) const { return degrees.lookup(value); }

private:
  llvm::DenseMap<mlir::Value, int> degrees;
};

// Linear equations among whole numbers, one for each value of a step body.

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

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_DEGREES_H
