// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a model is sound and fits chips: all that is wrong, not the first of
// it, and no more work than it takes to know.

#ifndef DENDROLITH_RUNTIME_SESSION_CHECK_H
#define DENDROLITH_RUNTIME_SESSION_CHECK_H

#include "runtime/session/ModelRequest.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

struct CheckFinding {
  /// "error": the model or the request is wrong; "unsupported": the chip has no
  /// engine for it; "unfit": the chip has too little of something.
  std::string kind;
  std::string message;
  /// What there is too little of, for "unfit" where it is counted.
  std::string resource;
  std::optional<uint64_t> used, limit;
  std::string node, hint; ///< empty: as the message says, if it does
};

struct Verdict {
  std::string target;
  /// "fits", "does not fit", "unsupported", "error", "undecided" where it fits
  /// as a guess reads it, or "not judged" where the model itself is wrong.
  std::string verdict = "not judged";
  std::vector<CheckFinding> findings;
  std::optional<uint64_t> cores; ///< of a mapping that was found
  uint64_t available = 0;        ///< cores of the chip; 0 where not judged
  std::vector<Need> needs;       ///< at the least, by resource
};

struct CheckReport {
  std::string model;
  std::string readAs; ///< the tool whose file it is, and its rule
  std::vector<CheckFinding> findings; ///< of the model, whatever the chip
  Warnings warnings;
  std::vector<Verdict> targets;

  bool ok() const;
};

/// Imports the model once, and for each target goes on as far as it takes: a
/// network that the chip's engines cannot run is not quantised, and one that
/// needs more than the chip has is not mapped. Throws Error for a target or a
/// file that there is not.
CheckReport check(const ModelRequest &request, const std::string &path,
                  const std::vector<std::string> &targets);

nlohmann::ordered_json toJson(const CheckReport &report);

// An open chip whose neuron is a circuit: what its memories cannot hold.

/// The files that load a program into the chip `format`, by their names. Throws
/// Error with the layer or source, the number and the remedy.
std::map<std::string, std::string> loaderFiles(const image::Program &program,
                                               const std::string &format,
                                               const Listener &listener);

/// Throws what loaderFiles() does where the program's chip has one neuron, that
/// of neuron.mlir beside its numbers; else does nothing.
void checkLoading(const image::Program &program, const Listener &listener);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_CHECK_H
