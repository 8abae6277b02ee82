// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Programs.h"

#include "runtime/explore/stages/StageFolder.h"
#include "runtime/host/Files.h"
#include "runtime/image/Program.h"
#include "runtime/options/ModelOptions.h"
#include "runtime/session/Stopwatch.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include "compiler/pipelines/Diagnostics.h"
#include "simulator/report/result/Pricing.h"
#include "targets/loader/price/CostFiles.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sys/resource.h>

namespace dendrolith::explore {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostFileBytes = uint64_t(1) << 40;
// Programs that stay in memory; one of a large network takes a gigabyte.
constexpr size_t kRecent = 4;
// Quantised networks of one model do so where they are as many, or as small.
constexpr size_t kQuantised = 8, kSmallBytes = size_t(1) << 30;

bool isProcessSmall() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return size_t(usage.ru_maxrss) * 1024 < kSmallBytes;
}

/// Quantisation does not depend on it.
bool isOfMesh(const std::string &key) { return key.rfind("mesh.", 0) == 0; }

Json jsonOf(const Changes &changes) {
  Json json = Json::array();
  for (const auto &[name, value] : changes)
    json.push_back({name, value});
  return json;
}

/// Without what says nothing about values.
std::string digestOfValues(const image::Program &program) {
  image::Program bare = program;
  bare.clear_producer();
  bare.clear_target_name();
  bare.clear_target_yaml();
  bare.clear_mapping();
  bare.clear_policies();
  bare.clear_quantisation();
  bare.clear_warnings();
  bare.clear_rewrites();
  bare.clear_fit();
  return digestOf(bare);
}

/// A refusal as a file: what no other worker has to find out again.
Json toJson(const Mapped &mapped) {
  Json json = {{"refused", mapped.refused}, {"shortage", nullptr}};
  if (mapped.shortage)
    json["shortage"] = {{"resource", mapped.shortage->resource},
                        {"used", mapped.shortage->used},
                        {"limit", mapped.shortage->limit}};
  return json;
}

void readMapped(const std::string &bytes, const std::string &path,
                Mapped &mapped) {
  if (bytes.empty() || bytes.front() != '{') {
    mapped.program = parseProgram(bytes, path);
    mapped.digest = digestOfValues(mapped.program);
    return;
  }
  const Json json = readJson<Json>(bytes, path);
  mapped.refused = json.at("refused").get<std::string>();
  if (const Json &shortage = json.at("shortage"); !shortage.is_null())
    mapped.shortage = {shortage.at("resource"), shortage.at("used"),
                       shortage.at("limit")};
}

} // namespace

std::string Programs::hashOf(const std::string &path) {
  std::string &hash = hashes[path];
  if (hash.empty())
    hash = sha256OfFile(path, kMostFileBytes);
  return hash;
}

Json Programs::hashesOf(const std::vector<std::string> &arguments) {
  Json all = Json::array();
  for (const std::string &argument : arguments) {
    const size_t equals = argument.find('=');
    const bool named =
        equals != std::string::npos && !std::filesystem::exists(argument);
    all.push_back({named ? argument.substr(0, equals) : "",
                   hashOf(named ? argument.substr(equals + 1) : argument)});
  }
  return all;
}

/// Values of flags, with the content of a file that one of them names.
Json Programs::flagsOf(const DesignSetup &setup) {
  Json all = Json::object();
  for (const auto &[name, value] : setup.flags)
    all[name] = {value,
                 std::filesystem::is_regular_file(value) ? hashOf(value) : ""};
  return all;
}

/// The hashes of the model and of its calibration, which takes the run's own
/// samples where there are no others.
Json Programs::contentOf(const DesignSetup &setup) {
  const StudyModel &model = *setup.model;
  Json json = {{"model", hashOf(model.path)},
               {"weights", model.weights.empty() ? "" : hashOf(model.weights)},
               {"calibrate", hashesOf(model.calibrate)}};
  if (model.calibrate.empty())
    json["own"] = {hashesOf(model.input), model.samples};
  return json;
}

SharedStages Programs::sharedStagesOf(const Wanted &wanted) {
  const DesignSetup &design = wanted.design, &mapFor = wanted.mapFor;
  Changes shape, flags;
  for (const auto &each : design.shape)
    if (!isOfMesh(each.first))
      shape.push_back(each);
  for (const auto &each : design.flags)
    if (options::axisStageOf(each.first) != options::CompilerStage::Map)
      flags.push_back(each);
  const Json network = {design.model->name, design.target, jsonOf(shape),
                        jsonOf(flags), design.bits};
  return {network.dump(),
          Json({network, jsonOf(design.shape), jsonOf(design.flags),
                design.repeat, jsonOf(mapFor.times), jsonOf(mapFor.prices),
                mapFor.timing, mapFor.costs})
              .dump()};
}

std::string Programs::keyOf(const Wanted &wanted) {
  const DesignSetup &design = wanted.design, &mapFor = wanted.mapFor;
  const Target &chip =
      chips.chip(design.target, {&design.shape, &mapFor.times});
  Json tables = Json::array();
  if (!mapFor.costs.empty() || chip.costBand || !chip.defaultCosts.empty())
    for (const CostTable &table :
         chips.tables(chip, mapFor.costs, mapFor.prices))
      tables.push_back(table.hash);
  return sha256(Json({"map", versionOfBuild(), contentOf(design),
                      flagsOf(design), design.bits, design.repeat, chip.hash,
                      mapFor.timing, mapFor.costs, tables})
                    .dump());
}

/// What quantise() reads: everything of the chip's shape but its mesh.
std::string Programs::quantiseKeyOf(const DesignSetup &setup) {
  Json records = Json::array(), flags = Json::object();
  for (const Record &record : chips.chip(setup.target, {&setup.shape}).records)
    if (!isOfMesh(record.name))
      records.push_back({record.name, record.value});
  const Json all = flagsOf(setup);
  for (const auto &[name, value] : all.items())
    if (options::axisStageOf(name) == options::CompilerStage::Quantise)
      flags[name] = value;
  return Json({setup.target, records, flags, setup.bits}).dump();
}

session::ModelRequest Programs::requestOf(const Wanted &wanted) const {
  const DesignSetup &design = wanted.design, &mapFor = wanted.mapFor;
  session::ModelRequest request = options::requestWith(design.flags);
  CompileOptions &compile = request.compile;
  compile.target = withChanges(design.target,
                               {&design.shape, &mapFor.times, &mapFor.prices});
  if (!design.bits.empty()) {
    if (!compile.weightBits.empty())
      throw Error("compile.weight-bits and quantise.LAYER.weight_bits both say "
                  "how many bits weights have; vary one of them");
    compile.weightBits = design.bits;
  }
  if (compile.timing.empty())
    compile.timing = mapFor.timing;
  if (compile.costs.empty())
    compile.costs = mapFor.costs;
  compile.mapSeed += design.repeat;
  request.calibrate = design.model->calibrate;
  request.weights = design.model->weights;
  return request;
}

/// The one that is quantised so, else one to be: "" takes any.
Programs::Model &Programs::modelOf(const DesignSetup &setup,
                                   const std::string &quantised) {
  Changes flags;
  for (const auto &each : setup.flags)
    if (options::axisStageOf(each.first) == options::CompilerStage::Load)
      flags.push_back(each);
  const std::string key = Json({setup.model->name, jsonOf(flags)}).dump();
  std::list<Model> &all = models[key];
  auto found = std::find_if(all.begin(), all.end(), [&](const Model &model) {
    return quantised.empty() || model.quantised.empty() ||
           model.quantised == quantised;
  });
  const bool another = anyOrder && all.size() < kQuantised && isProcessSmall();
  if (found == all.end() && !all.empty() && !another)
    --found; // used longest ago
  if (found != all.end()) {
    all.splice(all.begin(), all, found);
    return all.front();
  }
  session::ModelRequest request = options::requestWith(flags);
  request.compile.target = setup.target;
  request.weights = setup.model->weights;
  Model model;
  model.loaded =
      session::loadModel(request, setup.model->path, setup.model->input);
  const uint64_t most = setup.model->samples;
  for (auto &[name, samples] : model.loaded.inputs.samples)
    if (most && samples.samples < most)
      throw Error("model '" + setup.model->name + "': input '" + name +
                  "' has " + std::to_string(samples.samples) +
                  " samples, the study asks for " + std::to_string(most));
    else if (most)
      samples.keep(most);
  return all.emplace_front(std::move(model));
}

const session::LoadedInputs &Programs::inputsOf(const DesignSetup &setup) {
  return modelOf(setup, "").loaded.inputs;
}

/// Whether something had to be done.
bool Programs::quantise(Model &model, const Wanted &wanted,
                        const std::string &key) {
  Compilation &compilation = *model.loaded.compilation;
  const session::ModelRequest request = requestOf(wanted);
  if (!model.calibrated) {
    if (!compilation.isComplete() || !request.calibrate.empty())
      session::calibrate(compilation, request, model.loaded.inputs);
    model.calibrated = true;
  }
  const std::string now = quantiseKeyOf(wanted.design);
  if (model.quantised == now &&
      (!compilation.isShapedByMapping() || model.mapped == key))
    return false;
  model.quantised.clear();
  session::quantise(compilation, request);
  model.quantised = now;
  model.mapped = key;
  return true;
}

void Programs::compile(const Wanted &wanted, const std::string &key,
                       Mapped &mapped, Effort &effort) {
  Effort::Stage quantised{"quantise"}, lowered{"map"};
  session::Stopwatch watch;
  try {
    Model &model = modelOf(wanted.design, quantiseKeyOf(wanted.design));
    quantised.reused = !quantise(model, wanted, key);
    quantised.seconds = watch.seconds();
    mapped.program = session::mapProgram(*model.loaded.compilation,
                                         requestOf(wanted).compile)
                         .program;
    mapped.digest = digestOfValues(mapped.program);
  } catch (const Refused &refused) {
    mapped.refused = refused.what();
    const Refusal &why = refused.refusal;
    if (!why.resource.empty())
      mapped.shortage = {why.resource, double(why.used), double(why.limit)};
  }
  lowered.seconds = watch.seconds() - quantised.seconds;
  effort.stages = {quantised, lowered};
}

void Programs::remember(const std::string &key,
                        std::shared_ptr<const Mapped> mapped) {
  recent.insert(recent.begin(), {key, std::move(mapped)});
  if (recent.size() > kRecent)
    recent.pop_back();
}

std::shared_ptr<const Mapped> Programs::program(const Wanted &wanted,
                                                Effort &effort) {
  session::Stopwatch watch;
  const std::string key = keyOf(wanted);
  auto found =
      std::find_if(recent.begin(), recent.end(),
                   [&](const auto &each) { return each.first == key; });
  if (found != recent.end()) {
    effort.stages = {{"quantise", true, 0}, {"map", true, watch.seconds()}};
    std::rotate(recent.begin(), found, found + 1);
    return recent.front().second;
  }
  auto mapped = std::make_shared<Mapped>();
  if (const auto bytes = folder.find("map", key)) {
    readMapped(*bytes, folder.pathOf("map", key), *mapped);
    effort.stages = {{"quantise", true, 0}, {"map", true, watch.seconds()}};
  } else {
    compile(wanted, key, *mapped, effort);
    folder.put("map", key,
               mapped->refused.empty() ? serialize(mapped->program)
                                       : toJson(*mapped).dump());
  }
  remember(key, mapped);
  return mapped;
}

// A chip takes some 100 kB. A study that changes chips more often reads again.
static constexpr size_t kMostChips = 200, kMostTables = 50;

const Target &ChipCache::chip(const std::string &target,
                              std::initializer_list<const Changes *> changes) {
  const std::string name = withChanges(target, changes);
  auto found = chips.find(name);
  if (found != chips.end())
    return *found->second;
  auto chip = std::make_unique<Target>(Target::load(name));
  if (chips.size() >= kMostChips)
    chips.clear();
  return *(chips[name] = std::move(chip));
}

/// A table takes its changed prices from the chip's list of changes. They are
/// put there as they are: Target::set() would read the whole chip again for
/// each, which is most of the time of a point where nothing else changes.
const std::vector<CostTable> &ChipCache::tables(const Target &chip,
                                                const std::string &costs,
                                                const Changes &prices) {
  std::string key = chip.hash + "\n" + costs;
  for (const auto &[name, value] : prices) {
    key += "\n" + name + "=" + value;
    if (known.insert(chip.hash + name).second)
      try {
        priceOf(chip, name);
      } catch (const Error &error) {
        known.erase(chip.hash + name);
        throw Error("cannot set '" + name + "': " + error.what());
      }
  }
  auto found = priced.find(key);
  if (found != priced.end())
    return found->second;
  Target changed = chip;
  for (const auto &[name, value] : prices)
    changed.overrides.push_back({name, value, ""});
  std::vector<CostTable> tables = report::chooseCosts(costs, changed);
  if (priced.size() >= kMostTables)
    priced.clear();
  return priced[key] = std::move(tables);
}

} // namespace dendrolith::explore
