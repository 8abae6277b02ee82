// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunTime.h"

#include "simulator/report/html/Bars.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

std::string closers(const Json &closedBy) {
  constexpr size_t kMostBars = 10;
  std::vector<std::pair<std::string, uint64_t>> rows;
  uint64_t all = 0;
  for (const auto &[name, times] : closedBy.items()) {
    rows.push_back({name, times.get<uint64_t>()});
    all += rows.back().second;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
    return a.second > b.second;
  });
  Table table("closed-by", "Who closed how many steps",
              {{"closed by", "closed_by", false},
               {"steps", "steps"},
               {"of all (%)", "share"}});
  std::vector<Bar> shown;
  for (const auto &[name, times] : rows) {
    const double share = double(times) / double(std::max<uint64_t>(all, 1));
    table.add({text(name), count(times), number(share, "{:.1f}", 100)});
    if (shown.size() < kMostBars)
      shown.push_back(
          {name, double(times), double(times), grouped(times) + " steps"});
  }
  return figure(fmt::format("Who closed most of {} steps: the last that the "
                            "barrier waited for, where its part took more than "
                            "a hundredth of the step's work",
                            grouped(all)),
                bars(shown, double(all)),
                folded("Table of all", table.markup()));
}

/// Columns of how many samples took how long.
std::string histogram(const std::vector<double> &values) {
  constexpr size_t kBins = 24;
  constexpr double kLeft = 44, kTop = 8, kWidth = 420, kHeight = 120;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double low = *least, width = (*most - low) / double(kBins);
  if (!(width > 0))
    return "<p class=\"note\">All samples took the same time.</p>\n";
  std::vector<size_t> bins(kBins, 0);
  for (double value : values)
    ++bins[std::min(size_t((value - low) / width), kBins - 1)];
  const double top = double(*std::max_element(bins.begin(), bins.end()));
  const Unit unit = timeUnit(*most);
  std::string out;
  for (size_t i = 0; i < kBins; ++i) {
    const double high = kHeight * double(bins[i]) / top;
    out += fmt::format("<rect class=\"one\" x=\"{:.1f}\" y=\"{:.2f}\" "
                       "width=\"{:.1f}\" height=\"{:.2f}\"><title>{} samples "
                       "from {} to {} {}</title></rect>\n",
                       kLeft + kWidth * double(i) / kBins,
                       kTop + kHeight - high, kWidth / kBins - 1, high, bins[i],
                       unit.number(low + width * double(i)),
                       unit.number(low + width * double(i + 1)), unit.name);
  }
  out += fmt::format("<path class=\"axis\" d=\"M{} {}h{}\"/><text x=\"{}\" "
                     "y=\"{}\" class=\"end\">{}</text><text x=\"{}\" y=\"{}\" "
                     "class=\"end\">0</text>\n",
                     kLeft, kTop + kHeight, kWidth, kLeft - 6, kTop + 10, top,
                     kLeft - 6, kTop + kHeight);
  for (int i = 0; i <= 3; ++i)
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"middle\">{:.4g}"
                       "</text>\n",
                       kLeft + kWidth * i / 3, kTop + kHeight + 16,
                       (low + (*most - low) * i / 3) / unit.size);
  return fmt::format(
      "<svg class=\"small\" viewBox=\"0 0 490 170\" role=\"img\" "
      "aria-label=\"Samples by latency\">\n{}<text x=\"{}\" "
      "y=\"164\" class=\"middle\">latency of a sample ({})</text>"
      "</svg>\n",
      out, kLeft + kWidth / 2, unit.name);
}

} // namespace

std::string latencyParts(const RunView &run) {
  const Json &latency = run.result.at("latency");
  if (latency.is_null())
    return "";
  const Json &critical = latency.at("critical");
  struct Named {
    const char *key, *name, *style;
  };
  constexpr Named kParts[] = {
      {"update_ns", "update", "c-update"},
      {"waiting_ns", "waiting for a full receiver", "c-waiting"},
      {"noc_ns", "network", "c-noc"},
      {"receive_ns", "receive", "c-receive"},
      {"barrier_ns", "barrier", "c-barrier"}};
  std::vector<Share> shares;
  Table table("critical-path", "The critical path, all samples together",
              {{"part", "part", false},
               {"time (&micro;s)", "time_ns"},
               {"per sample (&micro;s)", "per_sample_ns"}});
  for (const Named &part : kParts) {
    const Json ns = critical.value(part.key, 0.0);
    shares.push_back({part.name, ns.get<double>(), part.style});
    table.add({text(part.name), number(ns, "{:.3f}", 1e-3),
               number(ns.get<double>() / run.samples, "{:.3f}", 1e-3)});
  }
  return figure("Shares of the critical path", stack(shares),
                folded("Table of parts", table.markup())) +
         closers(latency.at("closed_by"));
}

std::string latencyBySample(const RunView &run) {
  if (run.tables.is_null())
    return "";
  const Json &samples = run.tables.at("samples");
  const Json &latency = samples.at("latency_ns"),
             &energy = samples.at("energy_pJ"),
             &correct = samples.at("correct"),
             &predicted = samples.at("predicted");
  if (latency.is_null() && energy.is_null())
    return "";
  const size_t all =
      latency.is_null() ? energy.at("high").size() : latency.size();
  std::vector<double> ns;
  double mostEnergy = 0;
  for (size_t s = 0; s < all; ++s) {
    if (!latency.is_null())
      ns.push_back(latency.at(s));
    if (!energy.is_null() && !energy.at("high").at(s).is_null())
      mostEnergy = std::max(mostEnergy, energy.at("high").at(s).get<double>());
  }
  const Unit time =
      timeUnit(ns.empty() ? 0 : *std::max_element(ns.begin(), ns.end()));
  const Unit joule = energyUnit(mostEnergy);
  Table table("samples", "Samples",
              {{"sample", "sample"},
               {"latency (" + time.name + ")", "latency_ns"},
               {"energy low (" + joule.name + ")", "energy_low_pJ"},
               {"energy high (" + joule.name + ")", "energy_high_pJ"},
               {"answer", "predicted", false},
               {"right", "correct", false}});
  table.bound(500, "tables.json has all");
  auto plain = [](const Json &values, size_t s) {
    return values.is_null() ? Cell{"", ""}
           : values.at(s).is_boolean()
               ? text(values.at(s).get<bool>() ? "yes" : "no")
               : Cell{escape(values.at(s).dump()), std::nullopt};
  };
  for (size_t s = 0; s < all; ++s)
    table.add({count(s),
               latency.is_null() ? Cell{"", ""} : inUnit(latency.at(s), time),
               energy.is_null() ? Cell{"", ""}
                                : inUnit(energy.at("low").at(s), joule),
               energy.is_null() ? Cell{"", ""}
                                : inUnit(energy.at("high").at(s), joule),
               plain(predicted, s), plain(correct, s)});
  return figure(ns.size() > 1 ? "How many samples took how long" : "",
                ns.size() > 1 ? histogram(ns) : "",
                folded("Table of samples", table.markup()));
}

} // namespace dendrolith::report::html
