// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/StatePicture.h"

#include "runtime/arrays/Npy.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStateLeft = 150, kStateWidth = 800, kStateTop = 8,
                 kStateHeight = 110, kStateGap = 14;
/// More lines than these hide each other.
constexpr uint64_t kMostLines = 5;
/// A plot has fewer points across than this, and a page should stay small.
constexpr uint64_t kMostTicks = 2000;

StateTrace traceOf(const std::string &name, const Array &array, double unit,
                   uint64_t samples, const std::string &place) {
  std::vector<uint64_t> shape = array.shape;
  if (shape.size() == 2)
    shape.insert(shape.begin(), 1);
  if (shape.size() != 3 || shape[0] != samples || array.size() == 0 ||
      array.kind == Array::NumberKind::Complex)
    throw Error(place + ": traces.npz: '" + name +
                "': expected (samples, ticks, neurons) numbers of this "
                "result's samples; run again");
  StateTrace trace{name, unit > 0, shape[2], {}, 0, 0, 0, {}};
  const double factor = trace.isReal ? 1 / unit : 1;
  const uint64_t ticks = shape[1], neurons = shape[2];
  trace.least = trace.greatest = factor * array.value(0);
  for (uint64_t i = 0; i < ticks * neurons; ++i) {
    const double value = factor * array.value(i);
    trace.least = std::min(trace.least, value);
    trace.greatest = std::max(trace.greatest, value);
    trace.mean += value / double(ticks * neurons);
  }
  for (uint64_t n = 0; n < std::min(neurons, kMostLines); ++n) {
    std::vector<double> row;
    for (uint64_t t = 0; t < std::min(ticks, kMostTicks); ++t)
      row.push_back(factor * array.value(t * neurons + n));
    trace.rows.push_back(std::move(row));
  }
  return trace;
}

/// The names of states that were asked for; empty where that is not known.
std::vector<std::string> statesIn(const Json &units) {
  std::vector<std::string> names;
  for (const auto &[name, unit] : units.items())
    if (name.find(':') != name.npos)
      names.push_back(name);
  return names;
}

} // namespace

std::vector<StateTrace> statesOf(const Recorded &recorded, const Json &units,
                                 uint64_t samples, const std::string &place) {
  const bool known = units.is_object();
  const std::vector<std::string> names =
      known ? statesIn(units) : std::vector<std::string>();
  std::vector<StateTrace> states;
  if (recorded.traces.empty() || (known && names.empty()))
    return states;
  for (const auto &[name, array] :
       parseNpz(recorded.traces, place + ": traces.npz", names))
    if (name.find(':') != name.npos) {
      const Json unit = known ? units.at(name) : Json();
      states.push_back(traceOf(name, array,
                               unit.is_number() ? unit.get<double>() : 0,
                               samples, place));
    }
  return states;
}

void addThresholds(const Json &network, std::vector<StateTrace> &states) {
  if (network.is_null())
    return;
  for (StateTrace &state : states)
    for (const Json &node : network.at("nodes"))
      for (const Json &row : node.at("states"))
        if (const Json value = row.value("threshold", Json());
            state.isReal && value.is_number() &&
            state.name == node.at("name").get<std::string>() + ":" +
                              row.at("name").get<std::string>())
          state.threshold = value.get<double>();
}

Json stateData(const std::vector<StateTrace> &states) {
  Json rows = Json::array();
  for (const StateTrace &state : states)
    rows.push_back(
        {{"name", state.name},
         {"threshold", state.threshold ? Json(*state.threshold) : Json()},
         {"rows", state.rows}});
  return rows;
}

std::string statePicture(const std::vector<StateTrace> &states) {
  std::string out;
  double top = kStateTop;
  size_t ticks = 1;
  for (const StateTrace &state : states)
    ticks = std::max(ticks, state.rows.front().size());
  for (const StateTrace &state : states) {
    double least = state.rows.front().front(), most = least;
    for (const std::vector<double> &row : state.rows)
      for (double value : row) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
    // One that is far off would flatten the lines.
    const std::optional<double> &limit = state.threshold;
    const double room = most > least ? most - least : std::abs(most);
    const bool isNear =
        limit && *limit <= most + room && *limit >= least - room;
    if (isNear) {
      least = std::min(least, *limit);
      most = std::max(most, *limit);
    }
    const double span = most > least ? most - least : 1;
    auto yOf = [&](double value) {
      return top + kStateHeight * (1 - (value - least) / span);
    };
    out += fmt::format(
        "<rect class=\"plot\" x=\"{0}\" y=\"{1:.1f}\" width=\"{2}\" "
        "height=\"{3}\"/><text x=\"{4}\" y=\"{5:.1f}\" class=\"end\">{6}"
        "</text><text x=\"{4}\" y=\"{7:.1f}\" class=\"end small\">{8:.4g}"
        "</text><text x=\"{4}\" y=\"{9:.1f}\" class=\"end small\">{10:.4g}"
        "</text>\n",
        kStateLeft, top, kStateWidth, kStateHeight, kStateLeft - 8,
        top + kStateHeight / 2, escape(state.name), top + 10, most,
        top + kStateHeight, least);
    if (limit)
      out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"end small\">"
                         "threshold {:.4g}{}</text>\n",
                         kStateLeft - 8, top + kStateHeight / 2 + 14, *limit,
                         isNear ? "" : ", beyond");
    if (isNear)
      out += fmt::format("<path class=\"threshold\" d=\"M{} {:.1f}h{}\"/>\n",
                         kStateLeft, yOf(*limit), kStateWidth);
    if (least < 0 && most > 0)
      out += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>\n",
                         kStateLeft, yOf(0), kStateWidth);
    for (size_t n = 0; n < state.rows.size(); ++n) {
      std::string line;
      for (size_t t = 0; t < state.rows[n].size(); ++t)
        line += fmt::format("{}{:.1f} {:.1f}", t ? "L" : "M",
                            kStateLeft +
                                kStateWidth * (double(t) + 0.5) / double(ticks),
                            yOf(state.rows[n][t]));
      out += fmt::format("<path class=\"state s{}\" d=\"{}\"><title>neuron {}"
                         "</title></path>\n",
                         n, line, n);
    }
    top += kStateHeight + kStateGap;
  }
  for (int i = 0; i <= 4; ++i)
    out +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"middle\">{}</text>\n",
                    kStateLeft + kStateWidth * i / 4, top + 4,
                    tickText(double(ticks) * i / 4));
  out +=
      fmt::format("<text x=\"550\" y=\"{:.1f}\" class=\"middle\">tick of the "
                  "first sample</text>",
                  top + 22);
  size_t lines = 0;
  for (const StateTrace &state : states)
    lines = std::max(lines, state.rows.size());
  for (size_t n = 0; n < lines; ++n)
    out += fmt::format("<path class=\"state s{0}\" d=\"M{1:.1f} {2:.1f}h22\"/>"
                       "<text x=\"{3:.1f}\" y=\"{4:.1f}\">neuron {0}</text>\n",
                       n, kStateLeft + 120.0 * double(n), top + 38,
                       kStateLeft + 120.0 * double(n) + 28, top + 42);
  return picture(top + 48, "States of neurons over time", out);
}

std::string stateTable(const std::vector<StateTrace> &states) {
  Table table("states", "States of all neurons in the first sample",
              {{"state", "state", false},
               {"neurons", "neurons"},
               {"numbers are", "numbers", false},
               {"least", "least"},
               {"mean", "mean"},
               {"greatest", "greatest"}});
  for (const StateTrace &state : states)
    table.add({text(state.name), count(state.neurons),
               text(state.isReal ? "in the model's units" : "raw integers"),
               number(state.least, "{:.5g}"), number(state.mean, "{:.5g}"),
               number(state.greatest, "{:.5g}")});
  return table.markup();
}

} // namespace dendrolith::report::html
