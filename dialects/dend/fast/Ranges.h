// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The range of every value of every step body over a run: what a quantiser
// calibrates with.

#ifndef DENDROLITH_DIALECTS_DEND_FAST_RANGES_H
#define DENDROLITH_DIALECTS_DEND_FAST_RANGES_H

#include "dialects/dend/reference/Interpreter.h"

#include <limits>

namespace dendrolith::dend {

/// Smallest and largest number seen. Raw integers for fixed point; real and
/// imaginary parts alike for complex numbers; what is not a number only shows.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool invalid = false; // something was no number

  bool seen() const { return low <= high; }
  /// Largest absolute value, 0 if nothing was seen.
  double magnitude() const;
  void add(const std::vector<double> &numbers);
  void add(const std::vector<int64_t> &numbers);
  void add(const Range &other);
};

class Ranges {
public:
  /// Give it to Interpreter::observe; it refers to this object.
  Observer observer();
  /// Adds what another one saw of the same network.
  void add(const Ranges &other);

  /// Over all neurons, elements and ticks: a value of the model's body by its
  /// SSA value. Inside a `when` region the neurons that skip it count too if
  /// any neuron runs it.
  Range value(PopulationOp population, mlir::Value value) const;
  /// What the body saw at a port, biases included.
  Range port(PopulationOp population, llvm::StringRef name) const;
  /// A state's old and new values.
  Range state(PopulationOp population, llvm::StringRef name) const;

private:
  /// The values of one population's body, in its order.
  struct Body {
    std::vector<mlir::Value> values;
    std::vector<Range> ranges;
    llvm::DenseMap<mlir::Value, size_t> at;
  };
  llvm::DenseMap<mlir::Operation *, Body> bodies;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_FAST_RANGES_H
