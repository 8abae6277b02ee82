// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy section of a paper from one result: a paragraph, a table for LaTeX
// and the sources as BibTeX. It never says that anything was measured.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_METHODS_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_METHODS_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// `result` is priced and has its summary. Throws Error for a run without a
/// chip, of which there is nothing to say.
std::string formatMethods(const nlohmann::ordered_json &result,
                          const std::string &where);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_METHODS_H
