// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ShortText.h"

#include "simulator/report/text/Lines.h"
#include "simulator/report/text/ScoreText.h"
#include "simulator/report/text/SlowSteps.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

/// What ran, where and for how long.
static std::string subjectLine(const Json &result) {
  const Json &summary = result.at("summary");
  std::string out = result.at("model").at("name").get<std::string>();
  if (!summary.at("target").is_null())
    out += " on " + summary.at("target").get<std::string>();
  if (!summary.at("cores").is_null())
    out += fmt::format(", {} core(s)", summary.at("cores").get<uint64_t>());
  out += fmt::format(", {} engine: {} sample(s) of {} ticks\n",
                     result.at("engine").get<std::string>(),
                     result.at("samples").get<uint64_t>(),
                     result.at("ticks").get<uint64_t>());
  if (const auto all = result.find("policies");
      all != result.end() && all->contains("read as"))
    out += "Read as " + all->at("read as").get<std::string>() + "\n";
  for (const Json &change : summary.at("overrides"))
    out += fmt::format("Changed: {} = {}, was {}\n",
                       change.at("key").get<std::string>(),
                       change.at("value").get<std::string>(),
                       change.at("was").get<std::string>());
  return out;
}

/// The resource of which the largest share is used, beside the cores.
static std::string fitLine(const Json &fit) {
  std::string cores, fullest;
  double most = -1;
  for (const Json &row : fit) {
    if (row.at("limit").is_null())
      continue;
    const uint64_t used = row.at("used"), limit = row.at("limit");
    const std::string name = row.at("resource");
    const double share = 100.0 * double(used) / double(limit);
    if (name == "cores") {
      cores = fmt::format("{} of {} cores", used, limit);
    } else if (share > most) {
      most = share;
      fullest = fmt::format("{} {:.1f} % full", name, share);
      fullest +=
          fmt::format(" on core {}", row.at("worst_core").get<uint64_t>());
    }
  }
  if (cores.empty() && fullest.empty())
    return "";
  return "Fit: " + cores + (cores.empty() || fullest.empty() ? "" : "; ") +
         fullest + "\n";
}

std::string formatShort(const Json &result) {
  std::string out = subjectLine(result), score = formatScore(result);
  // The score ends with an empty line for the long report.
  while (score.size() > 1 && score.substr(score.size() - 2) == "\n\n")
    score.pop_back();
  out += score + formatLayerAgreement(result) + formatWarnings(result);
  if (!result.at("counts").is_null())
    out += energyLine(result.at("summary")) + latencyLine(result) +
           slowestLine(result) + fitLine(result.at("fit")) +
           eventsLine(result.value("events", Json())) +
           saturationLine(result.at("saturations"));
  return out + countWarnings(result);
}

std::string formatWarnings(const Json &result) {
  const Json &rows = result.at("warnings");
  if (rows.empty())
    return "";
  std::string out = fmt::format("Warnings ({})\n", rows.size());
  for (const Json &row : rows)
    out += "  " +
           printable(lineOf({row.at("code"), row.at("where"), row.at("text")}),
                     2048) +
           "\n";
  return out + "\n";
}

std::string countWarnings(const Json &result) {
  const Json &rows = result.at("warnings");
  if (rows.empty())
    return "";
  std::map<std::string, size_t> codes;
  for (const Json &row : rows)
    ++codes[row.at("code").get<std::string>()];
  std::string list;
  for (const auto &[code, times] : codes)
    list += (list.empty() ? "" : ", ") + printable(code) +
            (times > 1 ? fmt::format(" x {}", times) : "");
  return fmt::format("Warnings: {} ({})\n", rows.size(), list);
}

} // namespace dendrolith::report
