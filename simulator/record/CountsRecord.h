// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `counts` of result.json.

#ifndef NEURITE_SIMULATOR_RECORD_COUNTSRECORD_H
#define NEURITE_SIMULATOR_RECORD_COUNTSRECORD_H

#include "simulator/events/Counts.h"

#include <nlohmann/json.hpp>

#include <string>

namespace neurite::sim {

/// {total, host, cores: {"<id>": ...}, links: [{from, to, flits}]}. Dots in a
/// counter's name are nested objects; chip-level counters and `tiles` stand in
/// `total` alone; `stalls` appears only where something stalled.
nlohmann::ordered_json toJson(const Counts &counts);

/// The inverse, strict: every counter present, none unknown, all of them
/// integers in [0, 2^63), `total` the sum of its parts. `where` ("result.json:
/// counts") begins every message. Throws Error.
Counts countsFromJson(const nlohmann::json &value, const std::string &where);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RECORD_COUNTSRECORD_H
