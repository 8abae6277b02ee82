// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host reads of a network, to be compared with what it reads of
// another form of it.

#ifndef DENDROLITH_COMPILER_PIPELINES_SAMPLES_ANSWERS_H
#define DENDROLITH_COMPILER_PIPELINES_SAMPLES_ANSWERS_H

#include "dialects/dend/Dend.h"
#include "runtime/host/Signals.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith {

/// By output, sample after sample: the mean spikes of each element, or what
/// each element of a real output is at every tick.
using Answers = std::map<std::string, std::vector<double>>;

/// The answers to the first `most` samples, in the units of the model's file.
/// The result does not depend on the number of threads (RunSamples.h). Real
/// outputs of very many numbers give the mean of a sample, too.
mlir::FailureOr<Answers> answersOf(dend::NetworkOp network,
                                   const std::map<std::string, Samples> &inputs,
                                   uint64_t most, unsigned threads);

/// The squared error of all outputs, each relative to its squares in `truth`.
double answerError(const Answers &answers, const Answers &truth);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_SAMPLES_ANSWERS_H
