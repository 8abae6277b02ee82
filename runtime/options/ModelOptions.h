// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the options of a model mean. A command takes them from its line, a study
// from its file.

#ifndef DENDROLITH_RUNTIME_OPTIONS_MODELOPTIONS_H
#define DENDROLITH_RUNTIME_OPTIONS_MODELOPTIONS_H

#include "runtime/options/Options.h"
#include "runtime/session/ModelRequest.h"

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::options {

/// Binds the options that all commands with a model have to `request`, which
/// must outlive them. A command with several chips binds its --target itself.
void bindModel(CommandOptions &options, session::ModelRequest &request);

/// Whether an option of `compile` is the axis compile.NAME of a study, and the
/// first stage of the compiler that it has a say in.
CompilerStage axisStageOf(const std::string &option);
/// The names of all axes compile.NAME.
std::vector<std::string> axisNames();
/// A request with values of axes compile.NAME. Throws Error for an axis that
/// there is not and for a value that it does not take.
session::ModelRequest
requestWith(const std::vector<std::pair<std::string, std::string>> &axes);

/// The given ones of --spikes, --weight-bits, --cores, --rewrite and the like,
/// as text: a compiled program cannot follow them.
std::string givenToCompiler(const CommandOptions &options);

// The file of --tuning: a map from options that are seldom set by hand to their
// values. Its keys are the rows of Options.def whose place is Tuning.

/// Sets the values of a file, or those of "{map-seed: 3}", a text in its form.
/// Throws Error with file:line:column for an unknown key and for a value that
/// has another type or is out of range.
void readTuning(CommandOptions &options, const std::string &fileOrText);

// One text for all doors. Whatever is said names an option as the command line
// does ("--weight-bits 4", "--import dt=1e-3"); who asks by another door reads
// that door's word for it. Python does the same (words.py).

/// The text with the keys of a study in place of flags: "compile.weight-bits
/// 4", "compile.dt=1e-3". What is no key of a study stays as it is.
std::string withKeys(const std::string &text);

} // namespace dendrolith::options

#endif // DENDROLITH_RUNTIME_OPTIONS_MODELOPTIONS_H
