// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long each step of a sample took, and who closed it.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_STEPPICTURE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_STEPPICTURE_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report::html {

/// Columns of the four parts of each step of the first sample, and below them
/// lanes of those who closed most steps. `steps` are rows of tables.json.
std::string stepPicture(const nlohmann::ordered_json &steps);

/// The steps of the first sample as a table.
std::string stepTable(const nlohmann::ordered_json &steps);

/// {closers: [...], steps: [[sample, step, update_ps, waiting_ps, noc_ps,
/// receive_ps, barrier_ps, closer], ...]} for the program that zooms.
nlohmann::ordered_json stepData(const nlohmann::ordered_json &steps);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_STEPPICTURE_H
