// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neurons lie and why, as text.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_MAPPINGTEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_MAPPINGTEXT_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dendrolith::report {

/// The "mapping" of programFacts(): what was minimised, what a step is
/// predicted to cost beside round-robin, which numbers of cores were looked at,
/// and what steps wait for. Ends with a newline.
std::string formatMapping(const nlohmann::ordered_json &mapping);

// Prints what a run did on a board of several chips.

/// Tables of the chips in use and of the links from one to the next; empty
/// where the chip stands alone.
std::string formatBoard(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_MAPPINGTEXT_H
