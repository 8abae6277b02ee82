// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges seen in a calibration run, as attributes that the quantiser reads:
// `calibration` of populations (by the names of ports and states) and inputs,
// `dend.calibration` of operations of a step body (by result).

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CALIBRATION_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CALIBRATION_H

#include "dialects/dend/Dend.h"

#include <optional>

namespace dendrolith {

struct SeenRange {
  double low = 0, high = 0;
  double magnitude() const { return high > -low ? high : -low; }
};

/// Records the range of a port or state of a population.
void setCalibration(dend::PopulationOp population, llvm::StringRef name,
                    SeenRange range);
/// Records the range of an input, and whether every value was an integer.
void setCalibration(dend::InputOp input, SeenRange range, bool integers);
/// Records the range of a value of a step body.
void setCalibration(mlir::OpResult value, SeenRange range);

/// Replaces what is recorded of a population that was quantised by the states
/// whose range decided how fine its integers are, each with the largest
/// magnitude that was seen, in these integers.
void keepDecisive(
    dend::PopulationOp population,
    llvm::ArrayRef<std::pair<llvm::StringRef, double>> magnitudes);

std::optional<SeenRange> getCalibration(dend::PopulationOp population,
                                        llvm::StringRef name);
std::optional<SeenRange> getCalibration(dend::InputOp input);
std::optional<SeenRange> getCalibration(mlir::OpResult value);

/// Removes what was recorded of an input, a population or the values of an
/// operation.
void clearCalibration(mlir::Operation *op);

/// Largest magnitude recorded of a value of the population's body: of a port,
/// a state or an op's result; 0 of any other or without a record.
double seenMagnitude(dend::PopulationOp population, mlir::Value value);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CALIBRATION_H
