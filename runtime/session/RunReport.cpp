// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/RunReport.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/report/Report.h"
#include "runtime/session/NetworkShape.h"
#include "simulator/report/result/NeuroBenchFields.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/text/ReportText.h"
#include "targets/mesh/Routing.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;

/// All links in one direction between two chips.
struct Edge {
  uint64_t flits = 0, links = 0;
  uint64_t most = 0;             // flits of the link that had most
  uint64_t busy = 0, waited = 0; // ps, of the busiest link; of all
};

std::map<std::pair<uint64_t, uint64_t>, Edge>
edgesOf(const Mesh &mesh, const sim::RunResult &run) {
  std::map<std::pair<uint64_t, uint64_t>, Edge> edges;
  for (const sim::LinkCount &link : run.counts.links) {
    const uint64_t from = mesh.chipOf(link.from), to = mesh.chipOf(link.to);
    if (from == to)
      continue;
    Edge &edge = edges[{from, to}];
    edge.flits += link.flits;
    edge.most = std::max(edge.most, link.flits);
    ++edge.links;
  }
  for (const sim::LinkActivity &link : run.linkActivity) {
    const auto edge =
        edges.find({mesh.chipOf(link.from), mesh.chipOf(link.to)});
    if (edge == edges.end())
      continue;
    edge->second.busy = std::max(edge->second.busy, link.busy);
    edge->second.waited += link.waited;
  }
  return edges;
}

/// Adds `board`: which chips a run used, and what went over the links from one
/// to the next. A chip that stands alone gets no such member.
void addBoard(Json &result, const Target &target, const TimingSet &timing,
              const sim::RunResult &run) {
  const Mesh &mesh = target.mesh;
  if (mesh.chips() == 1)
    return;
  std::set<uint64_t> tiles;
  std::map<uint64_t, uint64_t> cores; // by chip
  for (const auto &[core, counts] : run.counts.cores) {
    tiles.insert(target.tileOf(core));
    ++cores[mesh.chipOf(target.tileOf(core))];
  }
  Json &board = result["board"];
  board = {{"chips_x", mesh.chipsX},
           {"chips_y", mesh.chipsY},
           {"link_ps", timing.noc.crossing.forward},
           {"interval_ps", timing.noc.crossing.interval},
           {"barrier_ps",
            timing.barrierTime(0, run.counts.chips) - timing.barrierTime(0, 1)},
           {"chips", Json::array()},
           {"edges", Json::array()}};
  for (uint64_t chip : extentOf(mesh, tiles).chips)
    board["chips"].push_back({{"chip", chip},
                              {"x", chip % mesh.chipsX},
                              {"y", chip / mesh.chipsX},
                              {"cores", cores[chip]}});
  const bool timed = !run.stepTimes.empty() && run.timePs;
  for (const auto &[between, edge] : edgesOf(mesh, run)) {
    board["edges"].push_back({{"from", between.first},
                              {"to", between.second},
                              {"links", edge.links},
                              {"flits", edge.flits},
                              {"busiest_link_flits", edge.most},
                              {"busiest_link_share", nullptr},
                              {"waited_ps", nullptr}});
    if (!timed)
      continue;
    board["edges"].back()["busiest_link_share"] =
        double(edge.busy) / double(run.timePs);
    board["edges"].back()["waited_ps"] = edge.waited;
  }
}

/// A float network's model, choices and rewrites, as an image has them.
image::Program modelOf(Compilation &model) {
  image::Program facts;
  facts.set_model_name(model.name());
  facts.set_model_sha256(model.sha256());
  for (const auto &[key, value] : model.choices()) {
    image::Note &note = *facts.add_policies();
    note.set_key(key);
    note.set_value(value);
  }
  if (mlir::ArrayAttr rows = model.floatNetwork().getRewritesAttr())
    for (auto row : rows.getAsRange<report::RewriteRowAttr>())
      row.writeTo(*facts.add_rewrites());
  return facts;
}

std::string addChip(const Workload &workload, const sim::RunResult &run,
                    report::Result &result) {
  const RunRequest &request = workload.request;
  Target target = workload.chip();
  const TimingSet &timing = target.timing(request.timing);
  const std::vector<CostTable> tables =
      request.prices && request.costs.empty()
          ? *request.prices
          : report::chooseCosts(request.costs, target);
  result.json["timing"] = {{"name", timing.name},
                           {"sha256", timing.hash},
                           {"family", timing.family}};
  report::addSilicon(result.json, target, timing);
  report::addExecution(result, run);
  addBoard(result.json, target, timing, run);
  if (auto warning = report::otherFamily(tables, timing, run.timePs))
    request.model.listener.warn(*warning);
  std::string bills =
      report::addEnergy(result.json, run.counts, tables, sim::systemPs(run));
  report::addPartEnergy(result.json, result.tables, tables, "result");
  return bills;
}

} // namespace

std::string beginReport(Workload &workload, Json &json) {
  const RunRequest &request = workload.request;
  json["dendrolith"] = DENDROLITH_VERSION;
  json["engine"] = request.engine;
  std::string text;
  if (request.engine == "float") {
    report::addModel(json, modelOf(*workload.model));
    for (const auto &[key, value] : workload.model->choices())
      text += key + ": " + value + "\n";
    for (const std::string &line : workload.model->rewriteLines())
      text += line + "\n";
  } else {
    report::addModel(json, workload.program);
    report::addCompiled(json, workload.program);
    report::addMemory(json, workload.program, workload.words);
    if (Compilation *model =
            workload.model ? workload.model.get() : workload.origin.get())
      addShapes(json.at("layers"), model->floatNetwork());
    const Target &chip = workload.chip();
    report::addTarget(json, chip);
    report::addSilicon(json, chip, chip.timing());
    if (!workload.programDigest.empty())
      json["program_sha256"] = workload.programDigest;
    text = report::formatProgramFacts(json) + "\n";
    if (workload.verified) {
      json["map_verify"] = toJson(*workload.verified);
      text += formatRounds(*workload.verified) + "\n";
    }
  }
  if (workload.model)
    json["network"] = networkShape(workload.model->floatNetwork());
  const std::string &file =
      request.isProgram() ? request.modelPath : request.path;
  if (!file.empty())
    json["model"]["file"] = file;
  return text;
}

std::string addRun(const Workload &workload, const Engines &engines,
                   const Recording &recording, report::Result &result) {
  std::string bills;
  if (onChip(workload.request.engine)) {
    bills = addChip(workload, engines.result, result);
  } else {
    result.json["samples"] = recording.samples;
    result.json["ticks"] = recording.ticks;
    if (workload.request.engine == "float" && workload.request.digest)
      result.json["neurobench"] =
          report::floatNeuroBench(result.json, engines.operations.accumulates,
                                  engines.operations.multiplies);
  }
  result.json["peak_rss_bytes"] = report::peakResidentBytes();
  return bills;
}

namespace {

std::string kindOf(mlir::Attribute synapses) {
  return mlir::isa<dend::ConvAttr>(synapses)       ? "convolution"
         : mlir::isa<dend::PoolAttr>(synapses)     ? "pooling"
         : mlir::isa<dend::SparseAttr>(synapses)   ? "sparse"
         : mlir::isa<dend::DiagonalAttr>(synapses) ? "diagonal"
                                                   : "dense";
}

mlir::RankedTensorType typeOf(dend::ProjectOp project,
                              mlir::FlatSymbolRefAttr name) {
  auto constant = name ? dend::symbolOf<dend::ConstantOp>(project, name)
                       : dend::ConstantOp();
  return constant ? mlir::cast<mlir::RankedTensorType>(constant.getType())
                  : mlir::RankedTensorType();
}

std::optional<dend::Window> windowOf(dend::ProjectOp project) {
  if (auto pool = mlir::dyn_cast<dend::PoolAttr>(project.getSynapses()))
    return dend::windowOf(pool);
  auto conv = mlir::dyn_cast<dend::ConvAttr>(project.getSynapses());
  if (auto weight = typeOf(project, project.getWeightAttr()); conv && weight)
    return dend::windowOf(conv, weight.getShape());
  return std::nullopt;
}

Json windowJson(const dend::Window &window) {
  return {{"input", window.input},
          {"output", {window.channels, window.output(0), window.output(1)}},
          {"kernel", window.kernel},
          {"stride", window.stride},
          {"padding", window.padding},
          {"dilation", window.dilation},
          {"groups", window.groups}};
}

/// Values that are stored: a convolution has one for each channel.
int64_t biasesOf(dend::ProjectOp project,
                 const std::optional<dend::Window> &window) {
  auto type = typeOf(project, project.getBiasAttr());
  return !type ? 0 : window ? window->channels : type.getNumElements();
}

} // namespace

void addShapes(Json &layers, dend::NetworkOp network) {
  dend::NetworkIndex index(network);
  for (Json &layer : layers) {
    auto population = network.lookupSymbol<dend::PopulationOp>(
        layer.at("population").get<std::string>());
    if (!population)
      continue;
    size_t number = 0;
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      if (number >= layer.at("sources").size())
        break;
      Json &source = layer.at("sources")[number++];
      if (source.at("name") != project.getSource().str())
        continue;
      const std::optional<dend::Window> window = windowOf(project);
      source["kind"] = kindOf(project.getSynapses());
      source["biases"] = biasesOf(project, window);
      source["window"] = window ? windowJson(*window) : Json();
    }
  }
}

} // namespace dendrolith::session
