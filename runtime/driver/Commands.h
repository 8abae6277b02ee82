// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of the `dendrolith` command. Each adds its flags and its action,
// which throws dendrolith::Error for bad input.

#ifndef DENDROLITH_RUNTIME_DRIVER_COMMANDS_H
#define DENDROLITH_RUNTIME_DRIVER_COMMANDS_H

#include <CLI/CLI.hpp>

namespace dendrolith::driver {

void addCompile(CLI::App &app);
void addCheck(CLI::App &app);
void addRun(CLI::App &app);
void addExport(CLI::App &app);
void addReport(CLI::App &app);
void addSweep(CLI::App &app);
void addTune(CLI::App &app);
void addExplore(CLI::App &app);
void addGenerate(CLI::App &app);
void addPlan(CLI::App &app);
void addTargets(CLI::App &app);
void addServe(CLI::App &app);
/// These two are about all that `app` has.
void addCompletion(CLI::App &app);
void addManual(CLI::App &app);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_COMMANDS_H
