// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of --tuning: a map from options that are seldom set by hand to their
// values. Its keys are the rows of Options.def whose place is Tuning.

#ifndef DENDROLITH_RUNTIME_OPTIONS_TUNINGFILE_H
#define DENDROLITH_RUNTIME_OPTIONS_TUNINGFILE_H

#include "runtime/options/Options.h"

namespace dendrolith::options {

/// Sets the values of a file, or those of "{map-seed: 3}", a text in its form.
/// Throws Error with file:line:column for an unknown key and for a value that
/// has another type or is out of range.
void readTuning(CommandOptions &options, const std::string &fileOrText);

} // namespace dendrolith::options

#endif // DENDROLITH_RUNTIME_OPTIONS_TUNINGFILE_H
