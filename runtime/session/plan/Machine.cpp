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
  const char *fit = "runtime/driver/commands/plan.md, on two processors";
  return {{
      {"step", 10000, "ns", "fitted", fit},
      {"neuron", 2, "ns", "fitted", fit},
      {"synapse", 1.15, "ns", "fitted", fit}, // among kNeurons
      {"synapse_growth", 0.12, "1", "fitted", fit},
      {"spike", 30, "ns", "assumed", fit},
      {"parallel_share", 0.8, "1", "derived", "tests/bench/README.md"},
      {"base_bytes", 3.2e7, "bytes", "fitted", fit},
      {"neuron_bytes", 60, "bytes", "fitted", fit},
      {"synapse_bytes", 5.2, "bytes", "fitted", fit},
      {"index_bytes", 1.8, "bytes", "fitted", fit}, // of a synapse in no run
      {"list_bytes", 6, "bytes", "fitted", fit},
      {"compile_synapse_bytes", 60, "bytes", "assumed", "an upper bound"},
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
  return work.neurons * machine.at("neuron") +
         work.operations * machine.at("synapse") *
             std::pow(1 + machine.at("synapse_growth"), doublings) +
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
                        const Machine &machine, uint64_t ranks,
                        uint64_t threads) {
  const double neurons = double(network.neurons());
  const double workers = double(ranks * threads);
  const double share = machine.at("parallel_share");
  const double work = workNs(machine, {neurons, chip.operations, chip.spikes});
  MachinePlan plan;
  plan.stepNs = machine.at("step") + work * (1 - share + share / workers);
  double indices = 0, lists = 0;
  for (const Bundle &bundle : network.bundles)
    indices += bundle.run > 1 ? 0 : bundle.synapses;
  for (const CoreLoad &load : chip.loads)
    lists += load.inAxons * load.cores;
  plan.memoryBytes =
      machine.at("base_bytes") +
      (neurons * machine.at("neuron_bytes") +
       network.synapses() * machine.at("synapse_bytes") +
       indices * machine.at("index_bytes") + lists * machine.at("list_bytes")) /
          double(ranks);
  plan.compileBytes = machine.at("base_bytes") +
                      network.synapses() * machine.at("compile_synapse_bytes");
  return plan;
}

} // namespace dendrolith::plan
