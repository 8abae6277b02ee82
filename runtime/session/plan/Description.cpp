// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/plan/Description.h"

#include "compiler/import/study/Column.h"
#include "compiler/import/study/Generate.h"
#include "compiler/import/study/Meta.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace dendrolith::plan {
namespace {

constexpr uint64_t kMost = 1000000000000; // neurons of a part

double sizeOf(const Description &plan, size_t part) {
  return double(plan.parts[part].size);
}

/// How many synapses one of the keys says.
double readCount(const yaml::Fields &fields, double sources, double targets) {
  const std::vector<std::string> keys = {"synapses", "probability", "fan_in",
                                         "fan_out"};
  const yaml::Node *found = nullptr;
  std::string by;
  for (const std::string &key : keys)
    if (const yaml::Node *node = fields.find(key)) {
      if (found)
        yaml::fail(*node, "expected one of synapses, probability, fan_in and "
                          "fan_out, found '" +
                              by + "' and '" + key + "'");
      found = node;
      by = key;
    }
  if (!found)
    yaml::fail(fields.node(), "expected one of synapses, probability, fan_in "
                              "and fan_out, found none");
  const double value = yaml::readReal(*found, "'" + by + "'");
  if (by == "probability" && value > 1)
    yaml::fail(*found,
               "expected a probability from 0 to 1, found " + found->found());
  return by == "synapses"      ? value
         : by == "probability" ? value * sources * targets
         : by == "fan_in"      ? value * targets
                               : value * sources;
}

Kernel readKernel(const yaml::Node &node, const Part &from, const Part &to) {
  const yaml::Fields fields(node, "a kernel",
                            {"from_channels", "to_channels", "taps"});
  auto read = [&](const char *key, uint64_t most) {
    return yaml::readUnsigned(fields.at(key), fmt::format("'{}'", key), 1,
                              most);
  };
  return {read("from_channels", from.size), read("to_channels", to.size),
          read("taps", kMost)};
}

size_t partOf(const Description &plan, const yaml::Node &node) {
  std::vector<std::string> names;
  for (const Part &part : plan.parts)
    names.push_back(part.name);
  const std::string name = yaml::readText(node, "a name");
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    yaml::fail(node, "expected an input or a population (" + joinWords(names) +
                         "), found '" + name + "'" + suggestion(name, names));
  return size_t(at - names.begin());
}

void readParts(const yaml::Node &list, const char *what, Description &plan) {
  if (list.type != yaml::Node::Type::Sequence)
    yaml::fail(list, fmt::format("expected a list of {}, found {}", what,
                                 list.found()));
  for (const yaml::Node &item : list.items) {
    const yaml::Fields fields(item, what, {"name", "size", "rate"});
    Part part;
    part.name = yaml::readText(fields.at("name"), "'name'");
    part.size = yaml::readUnsigned(fields.at("size"), "'size'", 1, kMost);
    part.rate = yaml::readReal(fields.at("rate"), "'rate'");
    if (part.rate > 1)
      yaml::fail(fields.at("rate"), "expected spikes in a step from 0 to 1, "
                                    "found " +
                                        fields.at("rate").found());
    for (const Part &other : plan.parts)
      if (other.name == part.name)
        yaml::fail(fields.at("name"), "expected a name of its own, found '" +
                                          part.name + "' again");
    plan.parts.push_back(part);
  }
}

Description readYaml(const std::string &path) {
  const yaml::Node root = yaml::parse(yaml::readFile(path), path);
  const yaml::Fields fields(root, "a description of a network",
                            {"populations", "projections"},
                            {"name", "inputs", "weight_bits", "delay"});
  Description plan;
  plan.name = std::filesystem::path(path).stem().string();
  if (const yaml::Node *name = fields.find("name"))
    plan.name = yaml::readText(*name, "'name'");
  if (const yaml::Node *inputs = fields.find("inputs"))
    readParts(*inputs, "inputs", plan);
  plan.inputs = plan.parts.size();
  readParts(fields.at("populations"), "populations", plan);
  if (plan.parts.size() == plan.inputs)
    yaml::fail(fields.at("populations"),
               "expected at least one population, found none");
  if (const yaml::Node *bits = fields.find("weight_bits"))
    plan.weightBits = yaml::readUnsigned(*bits, "'weight_bits'", 1, 32);
  if (const yaml::Node *delay = fields.find("delay"))
    plan.delay = yaml::readUnsigned(*delay, "'delay'", 1, 1000);
  const yaml::Node &list = fields.at("projections");
  if (list.type != yaml::Node::Type::Sequence)
    yaml::fail(list, "expected a list of projections, found " + list.found());
  for (const yaml::Node &item : list.items) {
    const yaml::Fields each(item, "a projection", {"from", "to"},
                            {"synapses", "probability", "fan_in", "fan_out",
                             "within", "run", "delays", "kernel"});
    Bundle bundle;
    bundle.from = partOf(plan, each.at("from"));
    bundle.to = partOf(plan, each.at("to"));
    if (bundle.to < plan.inputs)
      yaml::fail(each.at("to"), "expected a population, found the input '" +
                                    plan.parts[bundle.to].name + "'");
    bundle.synapses =
        readCount(each, sizeOf(plan, bundle.from), sizeOf(plan, bundle.to));
    if (const yaml::Node *delays = each.find("delays"))
      bundle.delays = yaml::readUnsigned(*delays, "'delays'", 1, 1000);
    plan.delay = std::max(plan.delay, bundle.delays);
    if (const yaml::Node *kernel = each.find("kernel"))
      bundle.kernel =
          readKernel(*kernel, plan.parts[bundle.from], plan.parts[bundle.to]);
    if (const yaml::Node *within = each.find("within"))
      bundle.within = yaml::readReal(*within, "'within'");
    if (const yaml::Node *run = each.find("run"))
      bundle.run = std::max(1.0, yaml::readReal(*run, "'run'"));
    plan.bundles.push_back(bundle);
  }
  return plan;
}

/// Both sources of a study network have as many synapses each.
Description ofStudy(const study::Meta &meta) {
  Description plan;
  plan.parts = {
      {"in", meta.inputs,
       double(meta.inputSpikes) / double(meta.steps) / meta.inputs},
      {"lif", meta.neurons,
       double(meta.outputSpikes) / double(meta.steps) / meta.neurons}};
  plan.inputs = 1;
  const double each =
      double(meta.synapses) / (double(meta.inputs) + meta.neurons);
  for (size_t from : {size_t(0), size_t(1)}) {
    Bundle bundle{from, 1, each * sizeOf(plan, from)};
    if (meta.policy == "local" && from == 1) {
      // Three rows of neurons among nine cores.
      bundle.run = study::kLocalRun;
      bundle.within = double(2 * study::kLocalReach + 1) *
                      (double(meta.neurons) / meta.cores);
    } else if (meta.policy == "local") {
      bundle.run = study::kLocalRun;
    }
    if (meta.reach > 0) // rows of the grid within two deviations
      bundle.within = 4.0 * meta.reach * std::sqrt(double(meta.neurons));
    plan.bundles.push_back(bundle);
  }
  return plan;
}

/// The sizes of the file; the connections follow from the rule.
Description ofColumn(const study::Meta &meta) {
  Description plan;
  plan.parts = {{"in", meta.inputs,
                 double(meta.inputSpikes) / double(meta.steps) / meta.inputs}};
  plan.inputs = 1;
  for (const study::Range &range : meta.populations)
    plan.parts.push_back({range.name, range.size, range.rate});
  const auto &published = study::columnPopulations();
  if (meta.populations.size() != published.size())
    throw Error(fmt::format("{}: 'populations': expected the {} of the "
                            "microcircuit, found {}",
                            meta.file, published.size(),
                            meta.populations.size()));
  for (size_t t = 0; t < published.size(); ++t) {
    const double targets = sizeOf(plan, t + 1);
    plan.bundles.push_back(
        {0, t + 1, targets * (published[t].background / study::kBundled)});
    for (size_t s = 0; s < published.size(); ++s)
      if (published[t].from[s] > 0)
        plan.bundles.push_back(
            {s + 1, t + 1,
             published[t].from[s] * targets * sizeOf(plan, s + 1)});
  }
  plan.delay = 25;
  return plan;
}

} // namespace

uint64_t Description::neurons() const {
  uint64_t all = 0;
  for (size_t p = inputs; p < parts.size(); ++p)
    all += parts[p].size;
  return all;
}

double Description::synapses() const {
  double all = 0;
  for (const Bundle &bundle : bundles)
    all += bundle.synapses;
  return all;
}

double Description::operations() const {
  double all = 0;
  for (const Bundle &bundle : bundles)
    all += bundle.synapses * parts[bundle.from].rate;
  return all;
}

Description readDescription(const std::string &path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".npz") {
    const study::Meta meta = study::readMeta(path);
    Description plan = meta.column ? ofColumn(meta) : ofStudy(meta);
    plan.name = std::filesystem::path(path).stem().string();
    return plan;
  }
  if (ending == ".yaml" || ending == ".yml" || ending == ".json")
    return readYaml(path);
  throw Error(fmt::format("{}: expected a description (.yaml, .json), a study "
                          "network or a microcircuit (.npz), found '{}'",
                          path, ending));
}

} // namespace dendrolith::plan
