// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One `neurite run`.

#ifndef NEURITE_RUNTIME_SESSION_RUN_H
#define NEURITE_RUNTIME_SESSION_RUN_H

#include "runtime/session/ModelRequest.h"

namespace neurite::session {

struct RunRequest {
  ModelRequest model;
  std::string path, labels, engine = "functional", timing, costs, traces, out,
                            timeline, compare, metric, modelFlags;
  std::string expected;  // --compare of a file
  std::string modelPath; // what a program image was compiled from
  std::vector<std::string> inputs;
  bool verify = false, targetGiven = false;
  unsigned threads = 0;

  bool isProgram() const { return endsWith(".nrt"); }
  bool isArchive() const { return endsWith(".npz"); }
  bool endsWith(const std::string &ending) const {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.npos, ending) == 0;
  }
};

/// Loads, compiles a model, runs, compares, prints, and writes the folder asked
/// for. Throws Error for bad input.
void execute(const RunRequest &flags);

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_RUN_H
