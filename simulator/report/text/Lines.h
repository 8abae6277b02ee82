// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of a report that people quote.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_LINES_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_LINES_H

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace dendrolith::report {

/// An energy in the unit that suits it: "1.5 nJ".
std::string energyText(double pJ);

/// A time in the unit that suits it: "13.94 us".
std::string timeText(double ns);

/// An event as people read it: "hops_ns (north-south)", which is no time.
std::string eventTitle(const std::string &event);

/// Says that a table adds up the run, where headlines are of one sample; empty
/// where that is the same.
std::string totalsLine(uint64_t samples);

/// Prints the energy of a sample with its bound and its gaps, and what is
/// static apart and together with it, of a result's `summary`.
std::string energyLine(const nlohmann::ordered_json &summary);

/// Prints the latency of a sample and what steps waited for.
std::string latencyLine(const nlohmann::ordered_json &result);

/// Prints what a chip without steps has taken, or nothing.
std::string eventsLine(const nlohmann::ordered_json &events);

/// Prints which ranges were met, by population, of a result's `saturations`; it
/// says so if there were none.
std::string saturationLine(const nlohmann::ordered_json &saturations);

/// Prints `summary.baselines` with prices and what is not in them; empty where
/// nothing was counted.
std::string baselineLine(const nlohmann::ordered_json &summary);

/// Prints how many messages carry values of neurons to the host, where that is
/// a tenth of all or more: an output of a state is sent, a trace is not.
std::string outputsLine(const nlohmann::ordered_json &result);

/// Prints the busiest core and link. Empty where there is no `utilisation`.
std::string utilisationLine(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_LINES_H
