// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/CountedBill.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string nano(double pJ) { return fmt::format("{:.3f}", pJ / 1e3); }

/// An unknown event stands with messages.
Group groupOf(const std::string &event) {
  std::optional<Counter> counter = counterOf(event);
  return counter ? rowOf(*counter).group : Group::Messages;
}

Bill billOf(const Json &energy, double samples) {
  Bill bill;
  if (energy.at("total_pJ").is_number())
    bill.total = energy.at("total_pJ").get<double>() / samples;
  for (const auto &[event, entry] : energy.at("by_event").items()) {
    Bill::EventSum &group = bill.groups[size_t(groupOf(event))];
    double count = entry.at("count").get<double>() / samples;
    group.events += count;
    if (entry.at("energy_pJ").is_null())
      continue;
    double pJ = entry.at("energy_pJ").get<double>() / samples;
    group.pJ += pJ;
    group.isPriced |= count > 0;
  }
  return bill;
}

} // namespace

std::vector<Bill> countedBills(const Json &result) {
  double samples = double(result.at("samples").get<uint64_t>());
  const Json &energy = result.at("energy");
  if (energy.at("low").at("costs") == energy.at("high").at("costs"))
    return {billOf(energy.at("low"), samples)};
  return {billOf(energy.at("low"), samples),
          billOf(energy.at("high"), samples)};
}

std::string billTable(const std::vector<Bill> &bills) {
  TextTable table(bills.size() > 1
                      ? std::vector<std::string>{"counted energy", "events",
                                                 "low (nJ)", "high (nJ)"}
                      : std::vector<std::string>{"counted energy", "events",
                                                 "energy (nJ)"});
  for (size_t group = 0; group < kEventGroups; ++group) {
    std::vector<std::string> row = {
        toString(Group(group)),
        fmt::format("{:.0f}", bills.front().groups[group].events)};
    for (const Bill &bill : bills) {
      const Bill::EventSum &sum = bill.groups[group];
      row.push_back(sum.events > 0 && !sum.isPriced ? "-" : nano(sum.pJ));
    }
    table.add(row);
  }
  std::vector<std::string> total = {"all", ""};
  for (const Bill &bill : bills)
    total.push_back(bill.total ? nano(*bill.total) : "-");
  table.add(total);
  return table.text();
}

} // namespace dendrolith::report
