// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide neuron's body, divided: which piece can compute a value follows from
// what states and outputs depend on.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEBODY_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEBODY_H

#include "dialects/dend/Dend.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// A value as a whole, where an axis is asked for.
inline constexpr int kWhole = -1;

/// Where a value of the body belongs.
struct ValueClass {
  enum Kind {
    Shared, ///< of ports, parameters and states that every piece may repeat
    Row,    ///< of the states of one row, which lies in one part
    Sliced, ///< of one row that lies in several parts, each with a range of an
            ///< axis
    Joined, ///< of several parts: the combiner computes it
  };
  Kind kind = Shared;
  int row = -1;
  int axis = kWhole;
  /// A Joined value that is the sum of what the parts of `row` have of it.
  bool partial = false;
};

/// States that lie together: all in one part, or along an axis in several,
/// which part at `bounds`.
struct StateRow {
  std::vector<int64_t> bounds; ///< 0, ..., length of the axis

  bool sliced() const { return bounds.size() > 2; }
  unsigned parts() const { return unsigned(bounds.size()) - 1; }
};

/// A division of a body that keeps every bit: rows of states that no value of
/// another row decides about, and their slices.
struct WideBody {
  dend::NeuronOp model;
  int64_t length = 1; ///< of the axis that rows are sliced along
  std::vector<StateRow> rows;
  std::vector<ValueClass> states; ///< Joined: the combiner holds it
  llvm::DenseMap<mlir::Value, ValueClass> values;

  const ValueClass &classOf(mlir::Value value) const {
    return values.find(value)->second;
  }
};

/// How many parts of what kind: rows by rows, or ranges of an axis.
struct WideShape {
  int64_t rows = 1;
  std::vector<int64_t> slices; ///< of each row; sizes, where `sizes` is set
  bool sizes = false;
};

/// What a model can be divided into.
struct WideLimits {
  int64_t groups = 1; ///< of states that decide about each other
  int64_t length = 1; ///< of the axis that all of them can be sliced along
};

/// Finds the most parts; nothing, and in `why` the value that ties the states
/// together, if there is only one way to hold them.
std::optional<WideLimits> wideLimits(dend::NeuronOp model, std::string &why);

/// Reads "4" (parts: groups of states first, then slices of them), "2x3" (rows
/// by slices) or "5+6+5" (sizes of slices).
std::optional<WideShape> wideShape(llvm::StringRef text,
                                   const WideLimits &limits);

/// Divides the body; nothing, and why, if a value ties the states together.
std::optional<WideBody> divideWide(dend::NeuronOp model, const WideShape &shape,
                                   std::string &why);

/// The axes of the operands that give a result in slices along `axis`; nothing
/// where the op cannot be computed so.
std::optional<llvm::SmallVector<int>> operandAxes(mlir::Operation *op,
                                                  int axis);

/// The axes of the operands over which an op sums; nothing if it does not sum
/// modulo its width. `axis` is that of a reduction's input.
std::optional<llvm::SmallVector<int>> summedAxes(mlir::Operation *op, int axis);

/// Positions, in row-major order, of a range of an axis; of all with kWhole.
std::vector<int64_t> positionsOf(llvm::ArrayRef<int64_t> shape, int axis,
                                 int64_t low, int64_t high);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEBODY_H
