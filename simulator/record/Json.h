// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads JSON as untrusted input. Every error names the place: the file with
// line and column while parsing, and the path of the value afterwards.

#ifndef DENDROLITH_SIMULATOR_RECORD_JSON_H
#define DENDROLITH_SIMULATOR_RECORD_JSON_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace dendrolith::sim {

/// Parses `text`; `where` (the file) begins every message. Throws Error for
/// malformed text, a key twice in one object, and deep nesting
/// (targets/support/JsonText.h).
nlohmann::json parseJson(const std::string &text, const std::string &where);

/// Finds a member of an object. `where` is the object's place ("result.json:
/// counts"). Throws Error when `value` is no object or has no such member.
const nlohmann::json &member(const nlohmann::json &value,
                             const std::string &key, const std::string &where);

/// Reads an integer in [0, 2^63). Throws Error for anything else, 1.0 included.
uint64_t readCount(const nlohmann::json &value, const std::string &where);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_JSON_H
