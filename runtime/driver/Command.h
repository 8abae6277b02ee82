// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `dendrolith`, and how their command line is read. CLI11 reads
// it, which Command.cpp alone includes; options are rows of
// runtime/options/Options.def.

#ifndef DENDROLITH_RUNTIME_DRIVER_COMMAND_H
#define DENDROLITH_RUNTIME_DRIVER_COMMAND_H

#include "runtime/options/Options.h"

#include <functional>
#include <string>
#include <vector>

namespace dendrolith::driver {

/// A command binds all of its options and says what it does, which throws
/// dendrolith::Error for bad input.
struct Command {
  explicit Command(const std::string &name) : options(name) {}
  options::CommandOptions options;
  std::function<void()> run;
};

void addCompile(Command &command);
void addCheck(Command &command);
void addRun(Command &command);
void addExport(Command &command);
void addReport(Command &command);
void addTune(Command &command);
void addExplore(Command &command);
void addGenerate(Command &command);
void addPlan(Command &command);
void addTargets(Command &command);
void addSilicon(Command &command);
void addCalibrate(Command &command);
void addServe(Command &command);
void addCompletion(Command &command);
void addManual(Command &command);
void addDemo(Command &command);
void addDoctor(Command &command);
void addDocuments(Command &command);
void addCapsule(Command &command);
void addVerify(Command &command);
void addCosim(Command &command);

/// Reads the arguments of a process and runs the command that they name. False
/// where they mean nothing, which was said on standard error. Throws what the
/// command throws.
bool runCommand(int argc, char **argv);

/// Reads arguments as a command line and sets the options. Throws UsageError.
void readArguments(options::CommandOptions &options,
                   std::vector<std::string> arguments);

/// What `generate` makes of its arguments, without a word. Throws as it does.
void generateSilently(const std::vector<std::string> &arguments);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_COMMAND_H
