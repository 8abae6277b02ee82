// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes and runs the networks that measurements are of, each once.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_WORKBENCH_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_WORKBENCH_H

#include "runtime/explore/silicon/Activity.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::silicon {

using Words = std::vector<std::string>;

/// Two commands, by their arguments: what `generate` writes, and what `run`
/// would do.
struct Commands {
  std::function<void(const Words &)> generate;
  std::function<session::RunRequest(const Words &)> run;
};

/// A run, or why there is none.
struct Attempt {
  std::shared_ptr<const Activity> activity;
  std::string because;
};

class Workbench {
public:
  /// `folder` holds fetched files and takes what is made; `isKept` says that it
  /// outlives the process.
  Workbench(std::string folder, bool isKept, Commands commands)
      : folder(std::move(folder)), isKept(isKept),
        commands(std::move(commands)) {}

  /// The workload of a row on a chip, which may be given by path. Throws Error
  /// for a fetched file of another content.
  Attempt attempt(const Measurements &measured, const Workload &workload,
                  const std::string &chip);

  /// What a person types for the same run.
  std::string commandOf(const Workload &workload,
                        const std::string &chip) const;

private:
  Attempt run(const Measurements &measured, const Workload &workload,
              const std::string &chip);
  /// Checks or makes the files of a workload. Returns why one is missing.
  std::string prepare(const Measurements &measured, const Workload &workload);

  std::string folder;
  bool isKept;
  Commands commands;
  std::map<std::string, Attempt> known;
};

/// A script for a shell that fetches the files of others into its folder and
/// checks them, and says under which licence they are.
std::string fetchScript(const std::vector<Measurements> &all);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_WORKBENCH_H
