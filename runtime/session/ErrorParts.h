// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of an error's message, which is written for people: "FILE:LINE:
// COLUMN: node 'NAME' (TYPE): what is wrong; what to do".

#ifndef DENDROLITH_RUNTIME_SESSION_ERRORPARTS_H
#define DENDROLITH_RUNTIME_SESSION_ERRORPARTS_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace dendrolith::session {

/// Empty or 0 where the message does not say it.
struct ErrorParts {
  std::string file;
  uint64_t line = 0, column = 0;
  std::string node; ///< or population, layer, input
  std::string hint; ///< what to do
};

/// What a failure has to say, without words of a library: a path and what is
/// wrong with it, a value of JSON.
std::string messageOf(const std::exception &failure);

ErrorParts partsOf(const std::string &message);

/// The message and its parts, null for those that are not there.
nlohmann::ordered_json errorJson(const std::string &kind,
                                 const std::string &message);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_ERRORPARTS_H
