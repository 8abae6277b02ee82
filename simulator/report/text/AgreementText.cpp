// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/AgreementText.h"

#include "simulator/report/text/TextTable.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(const Json &share) {
  return share.is_null() ? ""
                         : fmt::format("{:.2f} %", 100 * share.get<double>());
}

std::string first(const Json &place) {
  if (place.is_null())
    return "";
  return fmt::format(
      "sample {}, step {}, neuron {}: {:.6g}, not {:.6g}",
      place.at("sample").get<uint64_t>(), place.at("step").get<uint64_t>(),
      place.at("neuron").get<uint64_t>(), place.at("value").get<double>(),
      place.at("other").get<double>());
}

void addOutput(TextTable &table, const std::string &name, const Json &output) {
  std::string equal;
  const double values = output.at("values");
  if (!output.at("different").is_null() && values > 0)
    equal = percent(1 - output.at("different").get<double>() / values);
  else if (!output.at("rms").is_null())
    equal = fmt::format("rms {:.3g}", output.at("rms").get<double>());
  table.add({name, equal.empty() ? "no counterpart" : equal,
             percent(output.at("rate")), percent(output.at("other_rate")),
             first(output.at("first_difference"))});
}

} // namespace

std::string formatLayerAgreement(const Json &result) {
  const Json &compare = result.at("compare");
  if (compare.is_null() || compare.at("layers").is_null())
    return "";
  const std::string engine = compare.at("engine");
  TextTable outputs(
      {"layer", "equal", "rate", engine + " rate", "first difference"}),
      states({"state", "rms difference", "rms of " + engine, "units per 1"});
  size_t compared = 0, others = 0;
  for (const Json &layer : compare.at("layers")) {
    const std::string name = printable(layer.at("population"));
    for (const Json &output : layer.at("outputs"))
      addOutput(outputs,
                layer.at("outputs").size() == 1
                    ? name
                    : name + "." + printable(output.at("name")),
                output);
    for (const Json &state : layer.at("states")) {
      if (state.at("rms").is_null()) {
        ++others;
        continue;
      }
      ++compared;
      states.add(
          {name + ":" + printable(state.at("name")),
           fmt::format("{:.3g}", state.at("rms").get<double>()),
           fmt::format("{:.3g}", state.at("other_rms").get<double>()),
           fmt::format("{:.6g}", state.at("units_per_real").get<double>())});
    }
  }
  return "Agreement with the " + engine + " engine by layer\n" +
         outputs.text() + (compared ? states.text() : "") +
         (others ? fmt::format("  {} state(s) have no counterpart of their "
                               "name and units\n",
                               others)
                 : "") +
         "\n";
}

std::string formatConfusion(const Json &result) {
  constexpr uint64_t kShown = 20; // columns that fit a wide terminal
  const Json &confusion = result.at("confusion");
  if (confusion.is_null())
    return "";
  const uint64_t classes = confusion.at("classes");
  if (classes > kShown)
    return fmt::format(
        "Confusion of {} classes: `confusion` of result.json\n\n", classes);
  std::vector<std::string> head = {"label"};
  for (uint64_t i = 0; i < classes; ++i)
    head.push_back(std::to_string(i));
  TextTable table(head);
  uint64_t label = 0;
  for (const Json &counts : confusion.at("counts")) {
    std::vector<std::string> row = {std::to_string(label++)};
    for (uint64_t i = 0; i < classes; ++i) // as many as there are columns
      row.push_back(grouped(counts.at(i).get<uint64_t>()));
    table.add(std::move(row));
  }
  return "Confusion: rows are labels, columns what was answered\n" +
         table.text() + "\n";
}

} // namespace dendrolith::report
