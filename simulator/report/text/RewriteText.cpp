// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/RewriteText.h"

#include "simulator/report/text/TextTable.h"

#include <nlohmann/json.hpp>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

/// Shortens ids such as "0-3, 7" where they become too long to read.
static std::string shortened(const std::string &ids) {
  constexpr size_t kMost = 60;
  if (ids.size() <= kMost)
    return ids;
  return ids.substr(0, ids.rfind(", ", kMost)) + ", ... (all in the result)";
}

std::string formatRewrites(const Json &facts) {
  if (facts.at("rewrites").empty())
    return "";
  const Json &rows = facts.at("rewrites");
  TextTable table(
      {"rewrite", "population", "neurons", "after", "synapses", "after"});
  std::string said;
  for (const Json &row : rows) {
    std::string name = row.at("rewrite");
    table.add({name, row.at("population"), grouped(row.at("neurons_before")),
               grouped(row.at("neurons_after")),
               grouped(row.at("synapses_before")),
               grouped(row.at("synapses_after"))});
    std::string verified = row.at("verified");
    said += "  " + name + ": " + row.at("detail").get<std::string>() +
            (row.at("removed_ids").is_null()
                 ? ""
                 : "; removed " + shortened(row.at("removed_ids"))) +
            "; verified: " +
            (verified.empty() ? "no, there were no samples" : verified) + "\n";
  }
  return "Rewrites by request (of the whole network)\n" + table.text() + said +
         "\n";
}

} // namespace dendrolith::report
