// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/WarningText.h"

#include "targets/support/Text.h"
#include "targets/support/Warning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

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
