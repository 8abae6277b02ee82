// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/ExportNetwork.h"

#include "compiler/export/lava/Body.h"
#include "compiler/export/lava/Neurons.h"
#include "compiler/export/lava/ReadNetwork.h"
#include "compiler/transforms/schedule/DifferenceConstraints.h"
#include "compiler/transforms/structure/ExpandStructure.h"
#include "targets/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <fmt/format.h>
#include <map>
#include <set>

using namespace mlir;

namespace dendrolith::lava {
namespace {

[[noreturn]] void refuseCycle(const std::vector<std::string> &names,
                              const std::vector<TimedEdge> &edges,
                              const std::vector<size_t> &cycle) {
  int64_t delay = 0, least = 0;
  std::string path;
  for (size_t edge : cycle) {
    delay += edges[edge].delay;
    least += edges[edge].least;
    path += "@" + names[edges[edge].from] + " -> ";
  }
  throw Error(fmt::format(
      "the cycle {}@{} has a delay of {} ticks, and its {} synapse layers take "
      "a step each in Lava: expected a delay of at least {}",
      path, names[edges[cycle.front()].from], delay, least, least));
}

} // namespace

std::vector<int64_t> retime(const std::vector<std::string> &names,
                            const std::vector<TimedEdge> &edges) {
  DifferenceConstraints constraints(static_cast<unsigned>(names.size()));
  for (const TimedEdge &edge : edges)
    constraints.add(edge.from, edge.to, edge.least - edge.delay);
  std::vector<int64_t> latency;
  std::vector<size_t> cycle = constraints.solve(latency);
  if (!cycle.empty())
    refuseCycle(names, edges, cycle);
  return latency;
}

namespace {

class NetworkExport {
public:
  NetworkExport(dend::NetworkOp given, bool stockOnly) : stockOnly(stockOnly) {
    network = copyOf(given, single);
    joinClocks(network);
    // Some populations stay as they are; the others are taken from a copy
    // without structure ops.
    expanded = copyOf(network, copy);
    for (auto model : expanded.getOps<dend::NeuronOp>())
      expandStructure(model);
  }

  Model run() {
    wires = joinDelays(readWires(network));
    for (auto population : network.getOps<dend::PopulationOp>()) {
      neurons.emplace_back(population, wires);
      addNode(population.getSymName());
    }
    for (auto input : network.getOps<dend::InputOp>())
      addNode(input.getSymName());
    choose();
    Model model;
    model.set_name(network.getSymName().str());
    for (size_t i = 0; i < neurons.size(); ++i)
      addProcess(model, i);
    addSynapses(model);
    addOutputs(model);
    model.mutable_run()->set_tag("fixed_pt");
    return model;
  }

private:
  static dend::NetworkOp copyOf(dend::NetworkOp network,
                                mlir::OwningOpRef<ModuleOp> &module) {
    module = ModuleOp::create(network.getLoc());
    module->push_back(network->clone());
    return *module->getOps<dend::NetworkOp>().begin();
  }

  void addNode(StringRef name) {
    index[name.str()] = nodes.size();
    nodes.push_back(name.str());
  }

  /// Latencies and stock processes depend on each other: a direct connection
  /// takes no step, and a process is stock only at some latencies. Every round
  /// takes at least one freedom away.
  void choose() {
    std::vector<bool> mayBeStock(neurons.size(), true);
    while (true) {
      std::vector<TimedEdge> edges;
      for (const Wire &wire : wires) {
        size_t to = index.at(wire.target);
        unsigned unit = neurons[to].cuba && mayBeStock[to] ? kCurrentShift : 0;
        bool direct = wire.delay == 0 && handsOn(wire, int64_t(1) << unit);
        edges.push_back({unsigned(index.at(wire.source)), unsigned(to),
                         wire.delay, direct ? 0 : 1});
      }
      latency = retime(nodes, edges);
      bool changed = false;
      for (size_t i = 0; i < neurons.size(); ++i) {
        if (mayBeStock[i] && !neurons[i].makeStock(wires, latency[i])) {
          mayBeStock[i] = false;
          changed = changed || neurons[i].cuba;
        }
      }
      if (!changed)
        return;
    }
  }

  void addProcess(Model &model, size_t i) {
    Neurons &n = neurons[i];
    if (n.stock) {
      *model.add_processes() = *n.stock;
      return;
    }
    if (stockOnly)
      throw Error(fmt::format("population '@{}' is no process of stock Lava: "
                              "{}; with --format lava it becomes one of "
                              "dendrolith_lava",
                              n.name(), n.why));
    auto population = expanded.lookupSymbol<dend::PopulationOp>(n.name());
    *model.add_processes() = makePopulation(n, population, latency[i]);
    dend::NeuronOp body = dend::modelOf(population);
    if (bodies.insert(body.getSymName().str()).second)
      *model.add_neurons() = writeBody(body);
  }

  void addSynapses(Model &model) {
    SynapseWriter writer(model);
    for (const Wire &wire : joinTerms()) {
      size_t to = index.at(wire.target), from = index.at(wire.source);
      int64_t steps = latency[to] - latency[from] + wire.delay;
      writer.add(wire, sender(wire), neurons[to].receiver(wire), steps);
    }
  }

  /// A delay process shifts the sum of each step by itself. Terms of an input
  /// that are shifted alike are therefore one process, if no two of them have a
  /// delay in common.
  std::vector<Wire> joinTerms() {
    std::vector<std::string> groups;
    std::set<std::string> taken;
    for (const Wire &wire : wires) {
      Receiver to = neurons[index.at(wire.target)].receiver(wire);
      std::string group =
          fmt::format("{} {} {} {} {}", wire.source, wire.output, wire.target,
                      to.port, to.shift);
      bool own = to.shift &&
                 !taken.insert(fmt::format("{} {}", group, wire.delay)).second;
      groups.push_back(own ? group + " " + wire.port : group);
    }
    return joinDelays(wires, groups);
  }

  Sender sender(const Wire &wire) {
    if (wire.output.empty()) {
      auto input = network.lookupSymbol<dend::InputOp>(wire.source);
      double scale =
          input.getScale() ? input.getScale()->convertToDouble() : 0.0;
      Sender host("", wire.source, {});
      host.low = wire.low;
      host.high = wire.high;
      host.scale = scale;
      return host;
    }
    return neurons[index.at(wire.source)].sender(wire.output);
  }

  void addOutputs(Model &model) {
    for (auto output : network.getOps<dend::OutputOp>()) {
      size_t at = index.at(output.getPopulation().str());
      Neurons &n = neurons[at];
      lava::Output &to = *model.add_outputs();
      to.set_name(output.getSymName().str());
      to.set_source(n.name());
      to.set_latency(uint64_t(latency[at]));
      std::string from = output.getFrom().str();
      to.set_probe(output.getProbe());
      to.set_source_port(to.probe() ? n.variable(from) : n.sender(from).port);
      if (to.probe())
        to.set_scale(n.unitsOf(from));
    }
  }

  dend::NetworkOp network, expanded;
  mlir::OwningOpRef<ModuleOp> single, copy;
  bool stockOnly;
  std::vector<Wire> wires;
  std::vector<Neurons> neurons;
  std::vector<std::string> nodes; // neurons, then inputs
  std::vector<int64_t> latency;   // by node
  std::map<std::string, size_t> index;
  std::set<std::string> bodies; // that are written
};

} // namespace

Model exportNetwork(dend::NetworkOp network, bool stockOnly) {
  return NetworkExport(network, stockOnly).run();
}

} // namespace dendrolith::lava
