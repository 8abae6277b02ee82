// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints how right a run is, and how near it is to another engine's.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_SCORETEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_SCORETEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// The score of a result.json beside that of the engine it was compared with,
/// their agreement and the read-out; empty if nothing was judged.
std::string formatScore(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_SCORETEXT_H
