// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges seen in a calibration run, as attributes that the quantiser reads:
// on a population `calibration = {I = [lo, hi], v = [lo, hi], ...}` by port and
// state name, on an input `calibration = {range = [lo, hi], integer}`, on an op
// of a step body by the number of its result.

#ifndef NEURITE_COMPILER_TRANSFORMS_QUANTISE_CALIBRATION_H
#define NEURITE_COMPILER_TRANSFORMS_QUANTISE_CALIBRATION_H

#include "dialects/dend/Dend.h"

#include <optional>

namespace neurite {

struct SeenRange {
  double low = 0, high = 0;
  double magnitude() const { return high > -low ? high : -low; }
};

/// Records the range of `name` ("I", "v", ... or "range" on an input).
void setCalibration(mlir::Operation *op, llvm::StringRef name, SeenRange range);
/// Records that every value of an input was an integer.
void setIntegerCalibration(dend::InputOp input);

std::optional<SeenRange> getCalibration(mlir::Operation *op,
                                        llvm::StringRef name);
bool hasIntegerCalibration(dend::InputOp input);
void clearCalibration(mlir::Operation *op);

/// Largest magnitude recorded of a value of the population's body: of a port,
/// a state or an op's result; 0 of any other or without a record.
double seenMagnitude(dend::PopulationOp population, mlir::Value value);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_QUANTISE_CALIBRATION_H
