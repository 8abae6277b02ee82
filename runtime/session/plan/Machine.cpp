// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/plan/Machine.h"

#include "targets/loader/yaml/Fields.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::plan {

/// In a network of so many a synapse takes what "synapse" says.
static constexpr double kNeurons = 1e4;

double Machine::at(const std::string &name) const {
  for (const Speed &speed : speeds)
    if (speed.name == name)
      return speed.value;
  throw Error("no speed '" + name + "' of a machine");
}

Machine measuredMachine() {
  const char *fit = "tests/bench/plan.py, on two processors";
  return {{
      {"start", 4e7, "ns", "fitted", fit}, // of a run
      {"step", 4000, "ns", "fitted", fit},
      {"neuron", 2.4, "ns", "fitted", fit},
      {"program_neuron", 16, "ns", "fitted", fit},
      {"synapse", 1.15, "ns", "fitted", fit}, // among kNeurons
      {"synapse_growth", 0.14, "1", "fitted", fit},
      {"message", 1, "ns", "fitted", fit},
      {"spike", 30, "ns", "assumed", fit},
      {"input", 3, "ns", "fitted", fit}, // a step of an input's neuron
      {"load_synapse", 18, "ns", "fitted", fit},
      {"load_list", 48, "ns", "fitted", fit},
      {"compile_start", 9e7, "ns", "fitted", fit},
      {"compile_synapse", 210, "ns", "fitted", fit},
      {"compile_list", 700, "ns", "fitted", fit},
      {"compile_spike", 20, "ns", "fitted", fit}, // of the raster beside it
      {"parallel_share", 0.8, "1", "derived", "tests/bench/ranks.py"},
      {"base_bytes", 4.1e7, "bytes", "fitted", fit},
      {"neuron_bytes", 60, "bytes", "fitted", fit}, // on each rank
      {"input_bytes", 1, "bytes", "derived", "a byte of each in each step"},
      {"spike_bytes", 24, "bytes", "fitted", fit}, // of a recorded one
      {"synapse_bytes", 5.2, "bytes", "fitted", fit},
      {"index_bytes", 1.8, "bytes", "fitted", fit}, // of a synapse in no run
      {"list_bytes", 6, "bytes", "fitted", fit},
      {"compile_base_bytes", 4.9e7, "bytes", "fitted", fit},
      {"compile_spike_bytes", 9, "bytes", "fitted", fit},
      {"compile_synapse_bytes", 16, "bytes", "fitted", fit},
      {"compile_list_bytes", 20, "bytes", "fitted", fit},
  }};
}

Machine readMachine(const std::string &path) {
  Machine machine = measuredMachine();
  const yaml::Node root = yaml::parse(yaml::readFile(path), path);
  const yaml::Node &speeds =
      yaml::Fields(root, "speeds of a machine", {"speeds"}).at("speeds");
  std::vector<std::string> names;
  for (const Speed &speed : machine.speeds)
    names.push_back(speed.name);
  const yaml::Fields given(speeds, "speeds of a machine", {}, names);
  for (Speed &speed : machine.speeds) {
    const yaml::Node *node = given.find(speed.name);
    if (!node)
      continue;
    const yaml::Fields fields(*node, "a speed",
                              {"value", "unit", "kind", "source"});
    speed.value = yaml::readReal(fields.at("value"), "'value'");
    if (const std::string unit = yaml::readText(fields.at("unit"), "'unit'");
        unit != speed.unit)
      yaml::fail(fields.at("unit"),
                 "expected '" + speed.unit + "', found '" + unit + "'");
    speed.kind = toString(yaml::readKind(fields.at("kind")));
    speed.source = yaml::readText(fields.at("source"), "'source'");
  }
  return machine;
}

/// What one thread of one rank takes for it, without what each step takes.
/// The targets of a larger network lie in slower memory: with each doubling of
/// its neurons a synapse takes longer by a share, the growth.
static double workNs(const Machine &machine, const StepWork &work) {
  const double doublings = std::log2(std::max(work.neurons, 1e3) / kNeurons);
  return work.neurons *
             machine.at(work.programs ? "program_neuron" : "neuron") +
         work.operations * machine.at("synapse") *
             std::pow(1 + machine.at("synapse_growth"), doublings) +
         work.messages * machine.at("message") +
         work.spikes * machine.at("spike");
}

Machine scaledTo(Machine machine, const StepWork &work, double ns,
                 const std::string &source) {
  const double factor = ns / (machine.at("step") + workNs(machine, work));
  for (Speed &speed : machine.speeds)
    if (speed.unit == "ns") {
      speed.value *= factor;
      speed.kind = "measured";
      speed.source = source;
    }
  return machine;
}

MachinePlan planMachine(const Description &network, const ChipPlan &chip,
                        const Machine &machine, const Run &run) {
  auto of = [&](const char *name) { return machine.at(name); };
  const double neurons = double(network.neurons()),
               synapses = network.synapses(), ranks = double(run.ranks),
               workers = ranks * double(run.threads), steps = double(run.steps);
  double inputs = 0, indices = 0, lists = 0;
  for (size_t p = 0; p < network.inputs; ++p)
    inputs += double(network.parts[p].size);
  for (const Bundle &bundle : network.bundles)
    indices += bundle.run > 1 ? 0 : bundle.synapses;
  for (const CoreLoad &load : chip.loads)
    lists += load.inAxons * load.cores;
  const double share = of("parallel_share");
  const double work = workNs(machine, {neurons, chip.operations, chip.spikes,
                                       chip.messages, chip.programs});
  MachinePlan plan;
  plan.stepNs = of("step") + work * (1 - share + share / workers);
  plan.loadNs =
      of("start") + inputs * steps * of("input") +
      (synapses * of("load_synapse") + lists * of("load_list")) / ranks;
  plan.memoryBytes = of("base_bytes") + neurons * of("neuron_bytes") +
                     inputs * steps * of("input_bytes") +
                     chip.spikes * steps * of("spike_bytes") +
                     (synapses * of("synapse_bytes") +
                      indices * of("index_bytes") + lists * of("list_bytes")) /
                         ranks;
  const double recorded = chip.spikes * steps;
  plan.compileNs = of("compile_start") + synapses * of("compile_synapse") +
                   lists * of("compile_list") + recorded * of("compile_spike");
  plan.compileBytes = of("compile_base_bytes") + neurons * of("neuron_bytes") +
                      inputs * steps * of("input_bytes") +
                      recorded * of("compile_spike_bytes") +
                      synapses * of("compile_synapse_bytes") +
                      lists * of("compile_list_bytes");
  return plan;
}

} // namespace dendrolith::plan
