// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Check.h"

#include "compiler/export/loader/ChipTables.h"
#include "compiler/import/common/Findings.h"
#include "runtime/session/ErrorParts.h"
#include "targets/loader/Describe.h"
#include "targets/loader/files/Discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;

/// Each of what an error says, once.
void addAll(const char *kind, const Error &error,
            std::vector<CheckFinding> &findings) {
  const auto *several = dynamic_cast<const Findings *>(&error);
  for (const std::string &message :
       several ? several->all() : std::vector<std::string>{error.what()})
    findings.push_back({kind, message, "", {}, {}, "", ""});
}

/// Populations that no engine of the chip can run, each by its name.
void findUnsupported(Compilation &model, const CompileOptions &options,
                     Verdict &verdict) {
  for (const NodeFate &fate : model.explain(options))
    if (fate.fidelity == Fidelity::Refused)
      verdict.findings.push_back(
          {"unsupported",
           fmt::format("node '{}' ({}): target '{}' has no engine for it: {}",
                       fate.name, fate.type, options.target, fate.how),
           "",
           {},
           {},
           fate.name,
           "a target whose cores run programs, as 'loihi2' or 'ideal'"});
}

void findUnfit(const CompileOptions &options, Verdict &verdict) {
  for (const Need &need : verdict.needs)
    if (!need.fits())
      verdict.findings.push_back(
          {"unfit",
           fmt::format("population '{}': takes most of the {} {} that the "
                       "network needs at the least, and the {} cores of '{}' "
                       "have {}",
                       need.population, need.used,
                       need.unit == need.resource
                           ? need.unit
                           : need.unit + " of " + need.resource,
                       need.available, options.target, need.limit),
           need.resource, need.used, need.limit, need.population, need.remedy});
}

/// A mapping as quickly as one is found. Where none is in the given order, the
/// mapper's own search has the last word.
image::Program anyMapping(Compilation &model, CompileOptions options) {
  auto mapped = [&](const CompileOptions &tried) {
    model.lower(tried);
    return model.emit();
  };
  if (options.solver.empty() && options.placement.empty() &&
      options.mapFrom.empty() && options.mapFor.empty() &&
      options.constraints.empty()) {
    CompileOptions quick = options;
    quick.solver = "packed";
    try {
      return mapped(quick);
    } catch (const Refused &) {
    }
  }
  return mapped(options);
}

/// `isGuess`: the network may be another one than the file's tool has trained.
void judge(Compilation &model, const ModelRequest &request, bool isGuess,
           Verdict &verdict) {
  const CompileOptions &options = request.compile;
  auto found = [&](const char *kind, const char *word, const Error &error) {
    addAll(kind, error, verdict.findings);
    verdict.verdict = word;
  };
  try {
    findUnsupported(model, options, verdict);
    if (!verdict.findings.empty()) {
      verdict.verdict = "unsupported";
      return;
    }
    quantise(model, request);
    verdict.needs = model.leastNeeds(options);
    findUnfit(options, verdict);
    if (!verdict.findings.empty()) {
      verdict.verdict = "does not fit";
      return;
    }
    const image::Program program = anyMapping(model, options);
    verdict.cores = uint64_t(program.cores_size());
    try {
      checkLoading(program, request.listener);
    } catch (const Error &error) {
      return found("unfit", "does not fit", error);
    }
    verdict.verdict = isGuess ? "undecided" : "fits";
  } catch (const Refused &error) {
    found("unfit", "does not fit", error);
  } catch (const Unsupported &error) {
    found("unsupported", "unsupported", error);
  } catch (const Error &error) {
    found("error", "error", error);
  }
}

/// The circuit that is the chip's neuron, as the program of the network that
/// stands beside the chip's numbers.
image::Microprogram circuitOf(const std::string &chip,
                              const Listener &listener) {
  ModelRequest request;
  request.listener = listener;
  request.listener.onWarning = nullptr; // that network is ours
  request.compile.target = chip;
  const std::string file =
      std::filesystem::path(findTarget(chip, "")).parent_path() / "neuron.mlir";
  auto model = importModel(request, file);
  calibrate(*model, request);
  quantise(*model, request);
  return mapProgram(*model, request.compile).program.cores(0).programs(0);
}

Json toJson(const CheckFinding &finding) {
  Json json = errorJson(finding.kind, finding.message);
  if (!finding.node.empty())
    json["node"] = finding.node;
  if (!finding.hint.empty())
    json["hint"] = finding.hint;
  json["resource"] = nullptr;
  json["used"] = nullptr;
  json["limit"] = nullptr;
  if (finding.used) {
    json["resource"] = finding.resource;
    json["used"] = *finding.used;
    json["limit"] = *finding.limit;
  }
  return json;
}

Json toJson(const Verdict &verdict) {
  Json json = {{"target", verdict.target}, {"verdict", verdict.verdict},
               {"cores", nullptr},         {"available_cores", nullptr},
               {"needs", Json::array()},   {"findings", Json::array()}};
  if (verdict.cores)
    json["cores"] = *verdict.cores;
  if (verdict.available)
    json["available_cores"] = verdict.available;
  for (const Need &need : verdict.needs)
    json["needs"].push_back({{"resource", need.resource},
                             {"unit", need.unit},
                             {"population", need.population},
                             {"used", need.used},
                             {"limit", need.limit},
                             {"cores", need.cores}});
  for (const CheckFinding &finding : verdict.findings)
    json["findings"].push_back(toJson(finding));
  return json;
}

} // namespace

std::map<std::string, std::string> loaderFiles(const image::Program &program,
                                               const std::string &format,
                                               const Listener &listener) {
  return loader::filesOf(
      format, program, circuitOf(format, listener),
      Target::parse(program.target_yaml(), "the program's chip"));
}

void checkLoading(const image::Program &program, const Listener &listener) {
  static const std::set<std::string> formats = {"odin", "tinyodin", "ranc"};
  if (formats.count(program.target_name()) &&
      hasOneNeuron(Target::parse(program.target_yaml(), "the program's chip")))
    loaderFiles(program, program.target_name(), listener);
}

bool CheckReport::ok() const {
  for (const Verdict &verdict : targets)
    if (verdict.verdict != "fits")
      return false;
  return findings.empty();
}

CheckReport check(const ModelRequest &given, const std::string &path,
                  const std::vector<std::string> &targets) {
  CheckReport report;
  report.model = path;
  ModelRequest request = given;
  for (const std::string &name : targets) {
    report.targets.emplace_back();
    report.targets.back().target = name;
    report.targets.back().available = SharedTarget(name).get().numCores();
  }
  if (!std::filesystem::exists(path))
    throw Error(path + ": cannot open: no such file");
  request.listener.onWarning = [&](const Warning &warning) {
    report.warnings.push_back(warning);
  };
  request.compile.target = targets.front();
  std::unique_ptr<Compilation> model;
  try {
    model = importModel(request, path);
    calibrate(*model, request);
  } catch (const Error &error) {
    addAll("error", error, report.findings);
    return report;
  }
  for (const auto &[key, value] : model->choices())
    if (key == "read as")
      report.readAs = value;
  const bool isGuess = std::any_of(
      report.warnings.begin(), report.warnings.end(),
      [](const Warning &one) { return one.code == "assumed-rule"; });
  // What quantisers warn of may differ by chip and is no fault of the model.
  request.listener.onWarning = nullptr;
  for (Verdict &verdict : report.targets) {
    request.compile.target = verdict.target;
    judge(*model, request, isGuess, verdict);
  }
  return report;
}

Json toJson(const CheckReport &report) {
  Json json = {{"schema", 1},
               {"model", report.model},
               {"ok", report.ok()},
               {"findings", Json::array()},
               {"warnings", Json::array()},
               {"targets", Json::array()}};
  if (!report.readAs.empty())
    json["read_as"] = report.readAs;
  for (const CheckFinding &finding : report.findings)
    json["findings"].push_back(toJson(finding));
  for (const Warning &warning : report.warnings)
    json["warnings"].push_back({{"code", warning.code},
                                {"where", warning.where},
                                {"text", warning.text}});
  for (const Verdict &verdict : report.targets)
    json["targets"].push_back(toJson(verdict));
  return json;
}

} // namespace dendrolith::session
