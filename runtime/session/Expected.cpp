// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Expected.h"

#include "simulator/record/Traces.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

namespace dendrolith::session {
namespace {

struct Known {
  std::vector<std::string> states;  ///< of one number per neuron, in order
  std::vector<std::string> outputs; ///< of microcode, which names them
};

std::map<std::string, Known> knownIn(const image::Program &program) {
  std::map<std::string, Known> all;
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups()) {
      auto [known, isNew] = all.try_emplace(group.population());
      if (!isNew)
        continue;
      if (group.has_cuba()) {
        known->second.states = {"u", "v"};
        continue;
      }
      const auto &code = core.programs(int(group.microcode().program()));
      for (const auto &state : code.states())
        if (state.elements() == 1)
          known->second.states.push_back(state.name());
      for (const auto &output : code.outputs())
        known->second.outputs.push_back(output.name());
    }
  return all;
}

/// "17", or "17 (1, 0, 2)" of a population with axes.
std::string neuronText(uint64_t neuron, const std::vector<uint64_t> &shape) {
  if (shape.size() < 2)
    return std::to_string(neuron);
  std::vector<uint64_t> index(shape.size());
  uint64_t rest = neuron;
  for (size_t i = shape.size(); i-- > 0; rest /= shape[i])
    index[i] = rest % shape[i];
  return fmt::format("{} ({})", neuron, fmt::join(index, ", "));
}

/// What was recorded under a member's name: rows of `width` values.
struct Recorded {
  std::vector<uint64_t> shape; ///< of one row
  uint64_t ticks = 0, width = 1;
  const std::vector<double> *real = nullptr;
  const std::vector<int64_t> *ints = nullptr;

  double value(uint64_t i) const {
    return real ? (*real)[i] : double((*ints)[i]);
  }
};

bool isSingle(const std::string &path) {
  return std::filesystem::path(path).extension() == ".npy";
}

/// Samples that come first may lack their axis where there is one, and neurons
/// may stand in one row.
bool fits(const std::vector<uint64_t> &found, const Recorded &recorded,
          uint64_t samples) {
  for (bool isFlat : {false, true})
    for (bool hasSamples : {false, true}) {
      std::vector<uint64_t> wanted;
      if (hasSamples)
        wanted.push_back(samples);
      else if (samples != 1)
        continue;
      wanted.push_back(recorded.ticks);
      if (isFlat)
        wanted.push_back(recorded.width);
      else
        wanted.insert(wanted.end(), recorded.shape.begin(),
                      recorded.shape.end());
      if (found == wanted)
        return true;
    }
  return false;
}

} // namespace

Expected::Expected(const std::string &path) : path(path) {
  auto take = [&](const std::string &name, ArrayHead head) {
    if (head.kind == Array::NumberKind::Complex)
      throw Error(fmt::format("{}: {}: expected real numbers, found complex "
                              "ones",
                              path, name));
    members.push_back({name, std::move(head), -1, "", ""});
  };
  if (isSingle(path)) {
    take("", headOfNpy(path));
    return;
  }
  for (auto &[name, head] : headsOfNpz(path))
    take(name, std::move(head));
  if (members.empty())
    throw Error(path + ": expected at least one array, found none");
}

Array Expected::load(const Member &member) const {
  if (isSingle(path))
    return loadNpy(path);
  return std::move(loadNpz(path, {member.name}).at(member.name));
}

void Expected::resolve(const image::Program &program) {
  std::map<std::string, Known> populations = knownIn(program);
  std::vector<std::string> outputs;
  for (const image::Output &output : program.outputs())
    outputs.push_back(output.name());
  std::set<std::pair<std::string, std::string>> wanted;
  for (Member &member : members) {
    if (member.name.empty() && outputs.size() != 1)
      throw Error(fmt::format("{}: the network has {} outputs ({}); give an "
                              ".npz archive with an array for each",
                              path, outputs.size(), fmt::join(outputs, ", ")));
    auto found = std::find(outputs.begin(), outputs.end(), member.name);
    if (member.name.empty())
      found = outputs.begin();
    if (found != outputs.end()) {
      member.name = *found;
      member.output = int(found - outputs.begin());
      member.population = program.outputs(member.output).population();
    } else {
      // A node's name may hold anything but the state follows the last colon.
      size_t colon = member.name.rfind(':');
      member.population = member.name.substr(0, colon);
      if (colon != member.name.npos)
        member.state = member.name.substr(colon + 1);
    }
    auto layer = populations.find(member.population);
    if (layer == populations.end()) {
      std::vector<std::string> names;
      for (const auto &entry : populations)
        names.push_back(entry.first);
      throw Error(fmt::format("{}: '{}': expected an output ({}) or "
                              "POPULATION[:STATE] of {}",
                              path, member.name, fmt::join(outputs, ", "),
                              fmt::join(names, ", ")));
    }
    const auto &[states, emitted] = layer->second;
    std::vector<std::string> all = states;
    all.insert(all.end(), emitted.begin(), emitted.end());
    if (!member.state.empty() &&
        std::find(all.begin(), all.end(), member.state) == all.end())
      throw Error(fmt::format("{}: '{}': population '{}' has no state '{}'; it "
                              "has {}",
                              path, member.name, member.population,
                              member.state, fmt::join(all, ", ")));
    // Where there are several outputs, the first is what a neuron emits.
    if (member.state.empty() && emitted.size() > 1)
      member.state = emitted[0];
    layers[member.population].states = states;
    for (const std::string &state : states)
      wanted.insert({member.population, state});
    if (member.output < 0)
      wanted.insert({member.population, member.state});
  }
  for (const image::Population &population : program.populations())
    if (auto layer = layers.find(population.name()); layer != layers.end())
      layer->second.shape.assign(population.shape().begin(),
                                 population.shape().end());
  for (const auto &[population, state] : wanted)
    requests.push_back({population, state});
}

Expected::Outcome Expected::compare(const Recording &recording) const {
  auto recordedOf = [&](const Member &member) {
    Recorded out;
    if (member.output >= 0) {
      const sim::OutputData &data = recording.outputs[size_t(member.output)];
      out.shape = data.shape;
      out.ticks = recording.ticks * data.ticks;
      out.real = &data.values;
    } else {
      const Array &trace =
          recording.traces.at(sim::textOf({member.population, member.state}));
      out.shape = layers.at(member.population).shape;
      out.ticks = trace.shape[1];
      out.ints = &trace.ints;
    }
    out.width = product(out.shape);
    return out;
  };
  Outcome outcome;
  // The first difference by sample, tick, member and neuron. Of one step,
  // members come in the order of the file.
  std::tuple<uint64_t, uint64_t, size_t, uint64_t> first;
  double expected = 0; // there
  for (size_t m = 0; m < members.size(); ++m) {
    const Member &member = members[m];
    Recorded recorded = recordedOf(member);
    if (!fits(member.head.shape, recorded, recording.samples)) {
      std::vector<uint64_t> right = recorded.shape;
      right.insert(right.begin(), recorded.ticks);
      if (recording.samples != 1)
        right.insert(right.begin(), recording.samples);
      throw Error(fmt::format("{}: '{}': expected shape {}, found {}", path,
                              member.name, shapeText(right),
                              shapeText(member.head.shape)));
    }
    const Array wanted = load(member);
    if (wanted.shape != member.head.shape)
      throw Error(path + ": the file changed while it was read");
    const uint64_t size = wanted.size();
    outcome.values += size;
    for (uint64_t i = 0; i < size; ++i) {
      if (wanted.value(i) == recorded.value(i))
        continue;
      uint64_t row = i / recorded.width;
      std::tuple<uint64_t, uint64_t, size_t, uint64_t> at{
          row / recorded.ticks, row % recorded.ticks, m, i % recorded.width};
      if (outcome.different++ && !(at < first))
        continue;
      first = at;
      expected = wanted.value(i);
    }
  }
  if (!outcome.different) {
    outcome.text =
        fmt::format("Compared: {} value(s) of {} array(s) equal to {}",
                    outcome.values, members.size(), path);
    return outcome;
  }
  auto [sample, tick, m, neuron] = first;
  const Member &member = members[m];
  Recorded recorded = recordedOf(member);
  const Layer &layer = layers.at(member.population);
  uint64_t flat = (sample * recorded.ticks + tick) * recorded.width + neuron;
  outcome.text = fmt::format(
      "{}: '{}': first difference: layer '{}', neuron {}, step {}{}", path,
      member.name, member.population, neuronText(neuron, layer.shape), tick + 1,
      recording.samples > 1 ? fmt::format(" of sample {}", sample) : "");
  for (const std::string &state : layer.states)
    outcome.text +=
        fmt::format(", {} {}", state,
                    recording.traces.at(sim::textOf({member.population, state}))
                        .ints[flat]);
  outcome.text +=
      fmt::format(": expected {}, found {} ({} of {} values differ)", expected,
                  recorded.value(flat), outcome.different, outcome.values);
  return outcome;
}

} // namespace dendrolith::session
