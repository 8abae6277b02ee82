// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run's outcome as the files of its folder.

#ifndef NEURITE_RUNTIME_SESSION_RESULTFILES_H
#define NEURITE_RUNTIME_SESSION_RESULTFILES_H

#include "runtime/session/Run.h"

#include <string>
#include <utility>
#include <vector>

namespace neurite::session {

/// Returns outputs, predicted classes, traces, spikes and tables.json as (file
/// name, bytes), and last result.json, which has the SHA-256 of each: a folder
/// that has one is complete.
std::vector<std::pair<std::string, std::string>>
resultFiles(const RunOutcome &outcome);

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_RESULTFILES_H
