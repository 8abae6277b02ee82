// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/plan/Format.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::plan {
namespace {

/// "7,717", "2.99e+08" or "0.25": as many digits as mean anything.
std::string number(double value) {
  if (!std::isfinite(value))
    return "none";
  if (value >= 1e7 || (value > 0 && value < 0.01))
    return fmt::format("{:.3g}", value);
  if (value < 100)
    return fmt::format("{:.3g}", value);
  const std::string digits = fmt::format("{:.0f}", value);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % 3 == 0)
      text += ',';
    text += digits[i];
  }
  return text;
}

std::string bytes(double value) {
  return value >= 1e9 ? fmt::format("{:.3g} GB", value / 1e9)
                      : fmt::format("{:.3g} MB", value / 1e6);
}

std::string duration(double ns) {
  return ns >= 3.6e12 ? fmt::format("{:.3g} h", ns / 3.6e12)
         : ns >= 1e9  ? fmt::format("{:.3g} s", ns / 1e9)
         : ns >= 1e6  ? fmt::format("{:.3g} ms", ns / 1e6)
                      : fmt::format("{:.3g} us", ns / 1e3);
}

MachinePlan machineOf(const Answer &answer) {
  return planMachine(answer.network, answer.chip, answer.request.machine,
                     answer.request.run);
}

} // namespace

std::string formatText(const Answer &answer) {
  const ChipPlan &chip = answer.chip;
  const MachinePlan machine = machineOf(answer);
  const double steps = double(answer.request.run.steps);
  std::string text = fmt::format(
      "{}: {} neurons, {} synapses; a step has {} spikes of neurons and {} "
      "synaptic operations\n",
      answer.network.name, number(double(answer.network.neurons())),
      number(answer.network.synapses()), number(chip.spikes),
      number(chip.operations));
  for (const Misfit &misfit : chip.misfits)
    text += fmt::format("Does not fit {}: one neuron of '{}' needs {} of {}, a "
                        "core has {}; --override-limit {} plans without\n",
                        answer.target.name, misfit.population,
                        number(misfit.needed), misfit.limit,
                        number(double(misfit.available)), misfit.limit);
  text += fmt::format(
      "On {}: {} cores on {} chip(s) of {}{}\n", answer.target.name,
      number(chip.cores), number(chip.chips),
      answer.target.mesh.tilesPerChip() * answer.target.mesh.coresPerTile,
      chip.misfits.empty() ? "" : " at least");
  std::string limits;
  for (const auto &[limit, cores] : chip.coresByLimit)
    limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", limit,
                          number(std::ceil(cores - 1e-9)));
  if (!limits.empty())
    text += fmt::format("  cores by each limit alone: {}\n", limits);
  text += fmt::format(
      "  a step: {} messages, {} (update {}, receiving {}, barrier {}); {} "
      "steps take {}\n",
      number(chip.messages), duration(chip.stepNs), duration(chip.updateNs),
      duration(chip.receiveNs), duration(chip.barrierNs), number(steps),
      duration(chip.stepNs * steps));
  text += fmt::format(
      "On this machine, functional engine, {} rank(s) of {} thread(s): {} a "
      "rank, {} to load, {} a step, {} for {} steps\n",
      answer.request.run.ranks, answer.request.run.threads,
      bytes(machine.memoryBytes), duration(machine.loadNs),
      duration(machine.stepNs), duration(machine.stepNs * steps),
      number(steps));
  text += fmt::format("  to compile it: {}, {}\n", bytes(machine.compileBytes),
                      duration(machine.compileNs));
  return text;
}

std::string formatJson(const Answer &answer) {
  const ChipPlan &chip = answer.chip;
  const MachinePlan machine = machineOf(answer);
  using Json = nlohmann::ordered_json;
  auto known = [](double value) {
    return std::isfinite(value) ? Json(value) : Json();
  };
  Json misfits = Json::array(), limits = Json::object(),
       populations = Json::array(), speeds = Json::object();
  for (const Misfit &misfit : chip.misfits)
    misfits.push_back({{"population", misfit.population},
                       {"limit", misfit.limit},
                       {"needed", misfit.needed},
                       {"available", misfit.available}});
  for (const auto &[limit, cores] : chip.coresByLimit)
    limits[limit] = known(std::ceil(cores - 1e-9));
  for (size_t p = answer.network.inputs; p < chip.loads.size(); ++p) {
    const CoreLoad &load = chip.loads[p];
    populations.push_back(
        {{"name", answer.network.parts[p].name},
         {"neurons", answer.network.parts[p].size},
         {"neurons_per_core", load.neurons},
         {"cores", load.cores},
         {"words_per_core", load.words},
         {"in_axons_per_core", load.inAxons},
         {"out_axons_per_core", load.outAxons},
         {"bound", load.bound.empty() ? Json() : Json(load.bound)}});
  }
  for (const Speed &speed : answer.request.machine.speeds)
    speeds[speed.name] = {{"value", speed.value},
                          {"unit", speed.unit},
                          {"kind", speed.kind},
                          {"source", speed.source}};
  const Json json = {
      {"network",
       {{"name", answer.network.name},
        {"neurons", answer.network.neurons()},
        {"synapses", answer.network.synapses()}}},
      {"target", answer.target.name},
      {"fits", chip.misfits.empty()},
      {"misfits", misfits},
      {"chips", chip.chips},
      {"cores", chip.cores},
      {"cores_by_limit", limits},
      {"populations", populations},
      {"step",
       {{"spikes", chip.spikes},
        {"messages", chip.messages},
        {"synaptic_operations", chip.operations},
        {"update_ns", chip.updateNs},
        {"receive_ns", chip.receiveNs},
        {"barrier_ns", chip.barrierNs},
        {"ns", chip.stepNs}}},
      {"machine",
       {{"ranks", answer.request.run.ranks},
        {"threads", answer.request.run.threads},
        {"steps", answer.request.run.steps},
        {"memory_per_rank_bytes", machine.memoryBytes},
        {"step_ns", machine.stepNs},
        {"run_s", machine.stepNs * 1e-9 * double(answer.request.run.steps)},
        {"load_s", machine.loadNs * 1e-9},
        {"compile_s", machine.compileNs * 1e-9},
        {"compile_bytes", machine.compileBytes},
        {"speeds", speeds}}}};
  return json.dump(1) + "\n";
}

} // namespace dendrolith::plan
