// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration run of a float network in the reference interpreter.

#ifndef DENDROLITH_COMPILER_PIPELINES_SAMPLES_CALIBRATE_H
#define DENDROLITH_COMPILER_PIPELINES_SAMPLES_CALIBRATE_H

#include "dialects/dend/reference/Tensor.h"
#include "runtime/host/Signals.h"

#include <map>
#include <string>

namespace dendrolith {

/// Runs every sample and records, as attributes, the range of each port and
/// state and of each input (Calibration.h), and `rates`: messages per tick of
/// each source neuron and input element. Where a step body is quantised value
/// by value (--dend-prepare has given the population a body of its own), the
/// range of each of its values is recorded too. Every input of the network is
/// in `inputs`, under its name and with the same number of samples and steps.
/// Samples run on so many threads, or one per processor for 0; the result does
/// not depend on it.
mlir::LogicalResult calibrate(dend::NetworkOp network,
                              const dend::Bindings &bindings,
                              const std::map<std::string, Samples> &inputs,
                              unsigned threads = 1);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_SAMPLES_CALIBRATE_H
