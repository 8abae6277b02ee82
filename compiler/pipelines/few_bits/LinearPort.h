// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ports of programs whose elements reach the rest of the body through
// parameters that multiply them: each element may count in a unit of its own,
// and what its mean lost may go to a parameter that is added behind.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_LINEARPORT_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_LINEARPORT_H

#include "compiler/transforms/network/BoundModel.h"

#include <map>
#include <optional>
#include <vector>

namespace dendrolith {

class LinearPort {
public:
  /// None where an element of the port reaches anything but a parameter that
  /// multiplies it and is used once, or where other populations have the model.
  static std::optional<LinearPort> of(dend::PopulationOp population,
                                      llvm::StringRef port);

  /// Elements of one group share parameters: those of all neurons where these
  /// have no parameters of their own.
  size_t groups() const;
  size_t groupOf(uint32_t target) const;

  /// Multiplies what comes into the elements of each group by its factor, at
  /// least 1, and divides the parameters by it, which is exact in reals. The
  /// ranges that calibration saw grow by the largest factor.
  void scale(const std::vector<double> &factor);

  /// Parameters by number, as the model has them.
  using Params = std::map<unsigned, BoundRows>;

  /// Adds what the means of the port's elements lost to the parameters in
  /// `now` that are added behind. Those that are new there begin as the model
  /// has them and are kept in `original`. False where a product has none.
  bool addMeans(const std::vector<double> &lost, Params &now,
                Params &original) const;
  void write(const Params &params);

private:
  /// A parameter that multiplies elements of the port.
  struct Factor {
    unsigned param = 0;
    int64_t first = 0; ///< the port's first element among its columns
    bool sums = true;  ///< over its columns; else element by element
    std::optional<unsigned> bias = std::nullopt; ///< added to the products
  };

  LinearPort(dend::PopulationOp population, unsigned port);
  bool follow(mlir::Value value, int64_t first);
  bool follow(mlir::OpOperand &use, int64_t first);
  bool multiplies(mlir::Value param, mlir::Operation *product, int64_t first,
                  bool sums);
  bool canScale();
  void scaleProjections(const std::vector<double> &factor);
  void scaleRanges(double largest);

  dend::PopulationOp population;
  BoundModel bound;
  unsigned port;
  size_t neurons = 0;
  int64_t width = 1; // elements of the port
  bool perNeuron = true;
  std::vector<Factor> factors;
  std::vector<mlir::OpResult> joined; // that hold elements of the port
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_LINEARPORT_H
