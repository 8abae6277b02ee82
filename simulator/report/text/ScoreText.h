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

// Prints where two engines differ and which classes are taken for each other.

/// By layer of a result that was compared so: values that are equal, both
/// rates, the first difference, and states in real units; else empty.
std::string formatLayerAgreement(const nlohmann::ordered_json &result);

/// The confusion matrix of up to 20 classes, and for more where it is; empty
/// where nothing was classified.
std::string formatConfusion(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_SCORETEXT_H
