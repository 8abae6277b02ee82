// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frozen numbers of a population whose body is quantised: parameters and
// initial states, in reals and then in integers.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_BODYPARAMS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_BODYPARAMS_H

#include "dialects/dend/Dend.h"
#include "targets/support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith {

class BodyParams {
public:
  explicit BodyParams(dend::PopulationOp population) : population(population) {}

  /// Reads the real parameters. Fails with a diagnostic on one without value.
  mlir::LogicalResult read();

  /// The largest magnitude of a real parameter, which is an argument of the
  /// model.
  double magnitude(mlir::BlockArgument parameter);

  /// Rounds a parameter to a format, half to even, and binds the integers.
  void write(mlir::BlockArgument parameter, dend::FxType format);

  /// Gives a state's initial value as raw integers of `format`; null stands for
  /// zero.
  mlir::FailureOr<mlir::Attribute>
  initial(mlir::Attribute init, llvm::StringRef state, dend::FxType format);

  /// Checks the poles that the model's `poles` attribute names (arrays of one
  /// real parameter, or of real and imaginary part): one that was inside the
  /// unit circle and is not any more is an error; those closer than 2^-8 are a
  /// warning.
  mlir::LogicalResult checkPoles(Warnings &warnings);

  /// Warns of parameters that lost values or digits in rounding.
  void noteLosses(Warnings &warnings);

  /// Fails with a diagnostic if a rounded parameter is not above zero.
  mlir::LogicalResult checkPositive(mlir::BlockArgument parameter,
                                    llvm::StringRef what);

private:
  struct Numbers {
    std::vector<double> real, rounded;
    std::vector<int64_t> shape;
  };
  llvm::StringRef nameOf(mlir::BlockArgument parameter);

  dend::PopulationOp population;
  std::map<std::string, Numbers> numbers; // by parameter
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_BODYPARAMS_H
