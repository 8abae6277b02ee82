// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the inputs of a network of integers carry the values of samples. Only
// values of an input that was real have a scale and saturate.

#ifndef DENDROLITH_RUNTIME_SESSION_CHECKSAMPLES_H
#define DENDROLITH_RUNTIME_SESSION_CHECKSAMPLES_H

#include "compiler/pipelines/Compile.h"
#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"

#include <map>
#include <string>

namespace dendrolith::session {

using SamplesByInput = std::map<std::string, Samples>;

/// Throws Findings, one for each input with a value that is no event where
/// events go, or no integer of the range of an input of integers. Inputs of
/// which there are no samples pass.
void checkSamples(const image::Program &program, const SamplesByInput &all);

/// The same for the integer network of a model that is quantised.
void checkSamples(Compilation &model, const SamplesByInput &all);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_CHECKSAMPLES_H
