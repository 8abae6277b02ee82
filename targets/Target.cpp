// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/Target.h"

#include "targets/CostTable.h"
#include "targets/Reader.h"
#include "targets/Schema.h"
#include "targets/Sha256.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite {

using namespace yaml;

static bool contains(const std::vector<std::string> &words,
                     const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool Engines::has(const std::string &engine) const {
  return contains(kinds, engine);
}

bool Engines::hasJoin(const std::string &join) const {
  return contains(joins, join);
}

Target Target::parse(const std::string &text, const std::string &filename) {
  Node root = yaml::parse(text, filename);
  Fields fields(root, "target",
                {"name", "description", "sources", "mesh", "limits", "formats",
                 "spikes", "engines", "scheduling", "synapse_memory", "timing",
                 "default_timing", "default_costs"});
  Target t;
  t.yamlText = text;
  t.hash = sha256(text);
  t.filename = filename;
  t.name = readText(fields.at("name"), "name");
  t.description = readText(fields.at("description"), "description");
  t.sources = readSources(fields.at("sources"));
  auto section = [&](const char *key) {
    return RecordReader(t.sources, t.records, key);
  };
  t.mesh = readMesh(fields.at("mesh"), section("mesh"));
  t.limits = readLimits(fields.at("limits"), section("limits"));
  t.formats = readFormats(fields.at("formats"), section("formats"));
  t.spikes = readSpikes(fields.at("spikes"), section("spikes"));
  t.engines = readEngines(fields.at("engines"), section("engines"));
  t.scheduling =
      readScheduling(fields.at("scheduling"), section("scheduling"), t.records);
  t.synapses =
      readSynapseFormat(fields.at("synapse_memory"), section("synapse_memory"));

  const Node &timing = fields.at("timing");
  if (timing.type != Node::Type::Map || timing.items.empty())
    fail(timing,
         "expected a map from names to timing sets for 'timing', found " +
             (timing.items.empty() ? "nothing in it" : timing.found()));
  std::vector<std::string> names;
  for (size_t i = 0; i < timing.items.size(); ++i) {
    names.push_back(timing.keys[i].text);
    t.timings.push_back(readTiming(names.back(), timing.items[i], t.sources));
  }
  t.defaultTiming =
      readWord(fields.at("default_timing"), "default_timing", names);
  t.defaultCosts = readText(fields.at("default_costs"), "default_costs");
  return t;
}

const TimingSet &Target::timing(const std::string &wanted) const {
  const std::string &set = wanted.empty() ? defaultTiming : wanted;
  std::vector<std::string> names;
  for (const TimingSet &timing : timings) {
    if (timing.name == set)
      return timing;
    names.push_back(timing.name);
  }
  throw Error(fmt::format("target '{}' has no timing set '{}', expected one of "
                          "{}{}",
                          name, set, join(names), suggestion(set, names)));
}

void Target::overrideLimit(const std::string &limit) {
  std::vector<std::string> names;
  for (const LimitKey &key : limitKeys()) {
    names.push_back(key.key);
    if (limit != key.key)
      continue;
    limits.*key.field = std::nullopt;
    if (!contains(overriddenLimits, limit))
      overriddenLimits.push_back(limit);
    return;
  }
  throw Error(fmt::format("target '{}' has no limit '{}', expected one of {}{}",
                          name, limit, join(names), suggestion(limit, names)));
}

std::vector<std::string> Target::events() const {
  std::vector<std::string> possible;
  for (const std::string &event : allEvents()) {
    if (event == "spikes.binary" && !spikes.binary)
      continue;
    if (event == "spikes.graded" && !spikes.graded)
      continue;
    // Unary emission is a neuron program's; fixed function knows none.
    if (event == "spikes.unary" && !engines.has("microcode"))
      continue;
    if (event.rfind("join_ops.", 0) == 0 &&
        !engines.hasJoin(event.substr(std::string("join_ops.").size())))
      continue;
    possible.push_back(event);
  }
  return possible;
}

Hops Target::hops(uint64_t fromCore, uint64_t toCore) const {
  TileXY a = coreXY(fromCore), b = coreXY(toCore);
  return {a.x > b.x ? a.x - b.x : b.x - a.x, a.y > b.y ? a.y - b.y : b.y - a.y};
}

} // namespace neurite
