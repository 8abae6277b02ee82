// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunPage.h"

#include "simulator/report/html/Markup.h"
#include "simulator/report/html/NetworkPicture.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/RasterPicture.h"
#include "simulator/report/html/RunChip.h"
#include "simulator/report/html/RunChoices.h"
#include "simulator/report/html/RunEnergy.h"
#include "simulator/report/html/RunHead.h"
#include "simulator/report/html/RunPaper.h"
#include "simulator/report/html/RunTime.h"
#include "simulator/report/html/StatePicture.h"
#include "simulator/report/html/StepPicture.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

std::string subtitleOf(const Json &result) {
  const Json &summary = result.at("summary");
  std::string out = summary.at("target").is_null()
                        ? "float network"
                        : "on " + summary.at("target").get<std::string>();
  out += ", " + result.at("engine").get<std::string>() +
         " engine: " + grouped(result.at("samples").get<uint64_t>()) +
         " samples of " + grouped(result.at("ticks").get<uint64_t>()) +
         " ticks";
  if (!summary.at("cores").is_null())
    out += ", " + grouped(summary.at("cores").get<uint64_t>()) + " cores";
  return out;
}

/// A result keeps the first steps of a long run, and so does the picture.
std::string stepsLeftOut(const Json &steps, uint64_t all) {
  if (steps.size() >= all)
    return "";
  return fmt::format("<p class=\"note\">The picture has the first {} of {} "
                     "steps: it ends with step {} of sample {}.</p>\n",
                     grouped(steps.size()), grouped(all),
                     grouped(steps.back().at("step").get<uint64_t>()),
                     grouped(steps.back().at("sample").get<uint64_t>()));
}

void addSteps(Page &page, const Json &result, const Json &tables) {
  const Json latency =
      tables.is_null() ? Json() : tables.value("latency", Json());
  if (latency.is_null() || latency.at("steps").empty())
    return;
  const Json &steps = latency.at("steps");
  page.data["steps"] = stepData(steps);
  page.addSection(
      "steps", "Steps",
      figure("How long each step took, by the part that was waited for, and "
             "who closed it. The parts follow each other from below.",
             stepPicture(steps),
             stepsLeftOut(steps, result.at("counts").at("total").at("steps")) +
                 folded("Table of steps", stepTable(steps)),
             "steps"),
      Page::Shape::Wide);
}

void addRasters(Page &page, const Rasters &rasters) {
  if (rasters.rows.empty())
    return;
  page.data["raster"] = rasterData(rasters);
  std::string note;
  if (rasters.samplesKept < rasters.samples)
    note =
        fmt::format("<p class=\"note\">The picture has {} of {} samples; the "
                    "recorded file has all.</p>\n",
                    grouped(rasters.samplesKept), grouped(rasters.samples));
  if (const std::string dense = rasterNote(rasters); !dense.empty())
    note += "<p class=\"note\">" + dense + "</p>\n";
  page.addSection(
      "spikes", "Spikes",
      figure("Who sent a value other than 0 at which tick.",
             rasterPicture(rasters),
             note + folded("Table of populations", rasterTable(rasters)),
             "raster"),
      Page::Shape::Wide);
}

void addStates(Page &page, const std::vector<StateTrace> &states) {
  if (states.empty())
    return;
  page.data["states"] = stateData(states);
  page.addSection(
      "states", "States",
      figure("What states of the first five neurons were; dashed is "
             "the threshold, where all neurons have one.",
             statePicture(states),
             folded("Table of states", stateTable(states)), "states"),
      Page::Shape::Wide);
}

} // namespace

Page runPage(const Json &result, const Json &tables, const Recorded &recorded,
             const std::string &place) {
  RunView run{result, tables, std::nullopt, result.at("samples").get<double>()};
  if (const Json &chip = result.at("target"); !chip.is_null())
    run.target = Target::parse(chip.at("yaml").get<std::string>(),
                               place + ", target.yaml");
  Page page(result.at("model").at("name").get<std::string>(),
            subtitleOf(result));
  page.addHead(warningList(run) + headline(run) + scopeOf(run));
  const Page::Shape wide = Page::Shape::Wide;
  const Json network = result.value("network", Json()),
             flows = tables.is_null() ? Json() : tables.value("flows", Json());
  page.addSection("network", "Network",
                  networkSection({network, result, flows}), wide);
  page.addSection("by-event", "Energy by event", energyByEvent(run));
  page.addSection("by-layer", "Energy by layer", energyByLayer(run));
  page.addSection("time", "Where the time goes", latencyParts(run), wide);
  addSteps(page, result, tables);
  page.data["chip"] = chipData(run);
  page.addSection("chip", "Chip", chipLoad(run), wide);
  addRasters(page, rastersOf(recorded, result.at("samples"), place));
  std::vector<StateTrace> states = statesOf(
      recorded, result.at("trace_units_per_real"), result.at("samples"), place);
  addThresholds(network, states);
  addStates(page, states);
  page.addSection("samples", "Samples", latencyBySample(run));
  page.addSection("fit", "Fit", fitOf(run));
  page.addSection("silicon", "Area and leakage", siliconOf(run));
  page.addSection("score", "Answers", scoreDetails(run));
  page.addSection("conventions", "By published conventions", byConvention(run),
                  wide);
  page.addSection("neurobench", "NeuroBench", neuroBenchTable(run), wide);
  page.addSection("mapping", "Mapping", mappingOf(run), wide);
  page.addSection("choices", "Choices and provenance", choicesOf(run), wide);
  page.addScript(kRunJs);
  return page;
}

} // namespace dendrolith::report::html
