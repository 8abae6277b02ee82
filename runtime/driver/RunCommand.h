// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of one run, which `dendrolith run` and `dendrolith serve` have.

#ifndef DENDROLITH_RUNTIME_DRIVER_RUNCOMMAND_H
#define DENDROLITH_RUNTIME_DRIVER_RUNCOMMAND_H

#include "runtime/options/Options.h"
#include "runtime/session/Run.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::driver {

struct RunFlags {
  session::RunRequest request;
  std::string out, timeline, html; ///< a folder and files to write
  std::string report, format;      ///< what is printed
  nlohmann::ordered_json record;   ///< run.json of `out`; null for none
  bool printsNothing() const { return report == "none"; }
};

/// Binds the options of a run but for those of its model.
void bindRun(options::CommandOptions &options, RunFlags &flags);

/// Puts what the options say together into the request. Throws UsageError and
/// Error.
void settle(RunFlags &flags, const options::CommandOptions &options);

/// What a run with these arguments would do. Throws UsageError and Error.
session::RunRequest requestOf(const std::vector<std::string> &arguments);

/// The files that a value of an option names: "X.npy", "NAME=X.npy",
/// "CHIP.yaml" or a chip's folder with changes behind it; none where it names
/// no file.
std::vector<std::string> filesIn(const std::string &value);

/// Options by name, with their values, in the order of the table.
using GivenOptions =
    std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Runs with these options of `dendrolith run` and writes the folder, without a
/// word. Throws UsageError and Error.
void runInto(const std::string &out, const GivenOptions &given);

struct Ran {
  session::RunOutcome outcome;
  std::string page; ///< a line about --html, if there is one
};

/// Runs and writes --out, --timeline and --html. Throws Error.
Ran runAndWrite(RunFlags &flags);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_RUNCOMMAND_H
