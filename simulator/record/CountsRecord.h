// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads the `counts` of result.json.

#ifndef DENDROLITH_SIMULATOR_RECORD_COUNTSRECORD_H
#define DENDROLITH_SIMULATOR_RECORD_COUNTSRECORD_H

#include "simulator/events/Counts.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dendrolith::sim {

/// The object {total, host, cores: {"<id>": ...}, links: [{from, to, flits}]}.
/// Dots in a counter's name are nested objects; chip-level counters and `tiles`
/// stand in `total` alone. `stalls` is a time and not among them.
nlohmann::ordered_json toJson(const Counts &counts);

/// The inverse. Throws Error unless every counter is present and none is
/// unknown, all are integers in [0, 2^63), and `total` is the sum of its parts.
/// `where` ("result.json: counts") begins every message. Results of schema 1
/// may have `stalls`.
Counts countsFromJson(const nlohmann::json &value, const std::string &where);

/// The same of an object of `total` and `host` alone: what the cores have
/// together is told of one.
Counts totalsFromJson(const nlohmann::json &value, const std::string &where);

/// The block of one core, host or layer, or (`chip`) of one that counts what
/// only a whole chip does, too; and its inverse, which refuses the same.
nlohmann::ordered_json toJson(const CoreCounts &counts, bool chip);
CoreCounts coreCountsFromJson(const nlohmann::json &value, bool chip,
                              const std::string &where);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_COUNTSRECORD_H
