// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/ExportNetwork.h"

#include "compiler/export/lava/Body.h"
#include "compiler/export/lava/Catalogue.h"
#include "compiler/export/lava/ReadNetwork.h"
#include "compiler/export/lava/Retiming.h"
#include "compiler/export/lava/StockNeurons.h"
#include "compiler/export/lava/Synapses.h"
#include "compiler/transforms/ExpandStructure.h"
#include "dialects/dend/Constants.h"
#include "targets/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <fmt/format.h>

#include <map>
#include <numeric>

using namespace mlir;

namespace neurite::lava {
namespace {

/// A population on its way into a process.
struct Neurons {
  dend::PopulationOp op;
  Dims shape;                      // Lava's
  std::vector<uint32_t> order;     // our number of each neuron in Lava's order
  std::optional<CubaNumbers> cuba; // of a fixed-function neuron
  std::optional<Form> form;        // of another neuron that Lava has
  std::optional<Process> stock;
  std::string why;   // it is no stock process
  unsigned unit = 0; // a weight of 2^unit is 1 in Lava

  std::string name() { return op.getSymName().str(); }
};

class NetworkExport {
public:
  NetworkExport(dend::NetworkOp network, bool stockOnly)
      : network(network), stockOnly(stockOnly) {
    // Populations that stay as they are, and a copy without structure ops for
    // the others.
    auto module = ModuleOp::create(network.getLoc());
    module.push_back(network->clone());
    copy = module;
    expanded = *copy->getOps<dend::NetworkOp>().begin();
    for (auto model : expanded.getOps<dend::NeuronOp>())
      expandStructure(model);
  }

  Model run() {
    checkClocks();
    wires = joinDelays(readWires(network));
    for (auto population : network.getOps<dend::PopulationOp>())
      addNeurons(population);
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
  void checkClocks() {
    auto check = [&](const char *what, mlir::Operation *op, StringRef clock) {
      auto found = network.lookupSymbol<dend::ClockOp>(clock);
      if (found && found.getDivides())
        throw Error(fmt::format(
            "{} '@{}' ticks on clock '@{}', {} times in a tick of '@{}'; all "
            "processes of Lava tick together",
            what, SymbolTable::getSymbolName(op).getValue().str(), clock.str(),
            found.getBy().value_or(1), found.getDivides()->str()));
    };
    for (auto input : network.getOps<dend::InputOp>())
      check("input", input, input.getClock());
    for (auto population : network.getOps<dend::PopulationOp>())
      check("population", population, population.getClock());
  }

  void addNeurons(dend::PopulationOp population) {
    Neurons added;
    added.op = population;
    added.cuba = readCubaNumbers(population);
    if (!added.cuba)
      added.form = recognise(dend::modelOf(population));
    uint64_t size = population.getSize();
    added.shape = {size};
    added.order.resize(size);
    std::iota(added.order.begin(), added.order.end(), 0);
    index[added.name()] = nodes.size();
    nodes.push_back(added.name());
    // Where a convolution begins or ends, Lava wants (W, H, C).
    std::optional<std::array<int64_t, 3>> maps;
    for (const Wire &wire : wires) {
      if (!wire.window)
        continue;
      const dend::Window &window = *wire.window;
      if (wire.source == added.name())
        maps = window.input;
      if (wire.target == added.name())
        maps = {window.channels, window.output(0), window.output(1)};
    }
    if (maps && uint64_t((*maps)[0] * (*maps)[1] * (*maps)[2]) == size) {
      auto [channels, height, width] = *maps;
      added.shape = {uint64_t(width), uint64_t(height), uint64_t(channels)};
      size_t next = 0;
      for (int64_t x = 0; x < width; ++x)
        for (int64_t y = 0; y < height; ++y)
          for (int64_t c = 0; c < channels; ++c)
            added.order[next++] = uint32_t((c * height + y) * width + x);
    }
    neurons.push_back(std::move(added));
  }

  /// Latencies and stock processes depend on each other: a direct connection
  /// takes no step, and a process is stock only at some latencies. Every round
  /// takes at least one freedom away.
  void choose() {
    for (auto input : network.getOps<dend::InputOp>()) {
      index[input.getSymName().str()] = nodes.size();
      nodes.push_back(input.getSymName().str());
    }
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
        neurons[i].stock.reset();
        if (mayBeStock[i] && !makeStock(i)) {
          mayBeStock[i] = false;
          changed = changed || neurons[i].cuba;
        }
      }
      if (!changed)
        return;
    }
  }

  bool makeStock(size_t i) {
    Neurons &n = neurons[i];
    if (hasBias(n.op)) {
      n.why = "a projection into it has a bias";
      return false;
    }
    if (n.form)
      return makeClass(n, latency[i]);
    if (!n.cuba) {
      n.why = "it has " + firstOperation(dend::modelOf(n.op));
      return false;
    }
    std::vector<double> sums(n.op.getSize(), 0.0);
    for (const Wire &wire : wires) {
      if (wire.target != n.name())
        continue;
      if (!divisible(wire, kCurrentShift)) {
        n.why = fmt::format("a weight from '@{}' is no multiple of 64, the "
                            "unit of LIF's input",
                            wire.source);
        return false;
      }
      auto largest = largestSums(wire);
      for (size_t k = 0; k < sums.size(); ++k)
        sums[k] += largest[k];
    }
    double most = *std::max_element(sums.begin(), sums.end()) /
                  double(1 << kCurrentShift);
    if (most > double(kMostCurrent)) {
      n.why = fmt::format("its input may reach {:.0f}, beyond {} LIF's current "
                          "wraps in another way",
                          most, kMostCurrent);
      return false;
    }
    n.stock = asLif(n.name(), n.shape, n.order, *n.cuba, latency[i], n.why);
    n.unit = n.stock ? kCurrentShift : 0;
    return n.stock.has_value();
  }

  /// Of the catalogue. Such a process begins in the first step.
  bool makeClass(Neurons &n, int64_t late) {
    if (late) {
      n.why = fmt::format("it lags by {} steps, in which {} would run", late,
                          n.form->lavaClass);
      return false;
    }
    n.stock = asClass(n.name(), n.shape, *n.form, readConstants(n), n.why);
    return n.stock.has_value();
  }

  Constants readConstants(Neurons &n) {
    dend::NeuronOp model = dend::modelOf(n.op);
    Constants constants;
    auto inOrder = [&](const std::vector<int64_t> &values) {
      std::vector<int64_t> ordered = values;
      if (values.size() == n.order.size())
        for (size_t i = 0; i < ordered.size(); ++i)
          ordered[i] = values[n.order[i]];
      return ordered;
    };
    // By place: names in a model are free.
    auto params = parameterNames(*n.form), states = stateNames(*n.form);
    for (size_t i = 0; i < params.size(); ++i)
      constants.parameters[params[i]] = inOrder(readIntegers(
          n.op,
          n.op.getParamsAttr().get(model.getParam(unsigned(i)).getName())));
    for (size_t i = 0; i < states.size(); ++i) {
      Attribute init = model.getState(unsigned(i)).getInit();
      constants.states[states[i]] =
          !init ? std::vector<int64_t>{0}
          : isa<IntegerAttr>(init)
              ? std::vector<int64_t>{cast<IntegerAttr>(init).getInt()}
              : inOrder(readIntegers(n.op, init));
    }
    return constants;
  }

  static std::vector<int64_t> readIntegers(dend::PopulationOp population,
                                           Attribute symbol) {
    auto values = dend::readInts(population, symbol);
    if (failed(values))
      throw Error(
          fmt::format("population '@{}': '{}' has no readable integers",
                      population.getSymName().str(),
                      cast<FlatSymbolRefAttr>(symbol).getValue().str()));
    return std::move(*values);
  }

  bool hasBias(dend::PopulationOp population) {
    for (auto project : network.getOps<dend::ProjectOp>())
      if (project.getTarget() == population.getSymName() && project.getBias())
        return true;
    return false;
  }

  void addProcess(Model &model, size_t i) {
    Neurons &n = neurons[i];
    if (n.stock) {
      *model.add_processes() = *n.stock;
      return;
    }
    if (stockOnly)
      throw Error(fmt::format("population '@{}' is no process of stock Lava: "
                              "{}; without --stock-lava-only it becomes one of "
                              "neurite_lava",
                              n.name(), n.why));
    *model.add_processes() = makePopulation(model, n, latency[i]);
  }

  Process makePopulation(Model &model, Neurons &n, int64_t start);

  void addSynapses(Model &model) {
    SynapseWriter writer(model);
    for (const Wire &wire : wires) {
      size_t to = index.at(wire.target), from = index.at(wire.source);
      int64_t steps = latency[to] - latency[from] + wire.delay;
      writer.add(wire, sender(wire), receiver(wire), steps);
    }
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
    Neurons &n = neurons[index.at(wire.source)];
    if (n.stock)
      return {wire.source, "s_out", n.shape};
    auto model = dend::modelOf(n.op);
    int output = model.findOutput(wire.output);
    return {wire.source, "out_" + wire.output,
            withElements(n.shape, model.getOutput(output).getElements())};
  }

  Receiver receiver(const Wire &wire) {
    Neurons &n = neurons[index.at(wire.target)];
    auto model = dend::modelOf(n.op);
    int port = model.findPort(wire.port);
    auto type = model.getPortArgs()[unsigned(port)].getType();
    Receiver to{wire.target, "a_in", n.shape};
    to.unit = n.unit;
    if (!n.stock) {
      to.port = "in_" + wire.port;
      to.shape = withElements(n.shape, dend::elementCount(type));
      to.width = dend::fixedType(type) ? dend::fixedType(type).getWidth() : 32;
    } else if (n.form) {
      size_t term = size_t(port);
      const NeuronClass &neuron = *findNeuronClass(n.form->lavaClass);
      for (size_t input = 0; input < neuron.inputs.size(); ++input) {
        const auto &terms = n.form->inputs[input];
        if (term < terms.size()) {
          to.port = neuron.inputs[input];
          to.width = terms[term].width;
          to.shift = terms[term].shift;
          break;
        }
        term -= terms.size();
      }
    }
    return to;
  }

  static Dims withElements(Dims shape, int64_t elements) {
    if (elements != 1)
      shape.push_back(uint64_t(elements));
    return shape;
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
      if (!output.getProbe()) {
        to.set_source_port(n.stock ? "s_out" : "out_" + from);
        continue;
      }
      to.set_source_port(n.stock ? stockState(n, from) : "state_" + from);
      to.set_probe(true);
      to.set_scale(n.op.getScale() ? n.op.getScale()->convertToDouble()
                                   : unitOf(n, from));
    }
  }

  /// The process' name of a state.
  std::string stockState(Neurons &n, StringRef name) {
    auto model = dend::modelOf(n.op);
    if (n.form)
      return stateNames(*n.form)[size_t(model.findState(name))];
    mlir::Value state = model.getStateArgs()[model.findState(name)];
    auto cuba = *model.getBlock().getOps<dend::CubaOp>().begin();
    if (state == cuba.getR())
      throw Error(
          fmt::format("output of state '{}' of population '@{}': Lava's "
                      "LIF has no refractory count",
                      name.str(), n.name()));
    return state == cuba.getU() ? "u" : "v";
  }

  /// Integer units per real unit of a state without a scale.
  double unitOf(Neurons &n, StringRef name) {
    auto model = dend::modelOf(n.op);
    auto type =
        dend::fixedType(model.getStateArgs()[model.findState(name)].getType());
    return std::ldexp(1.0, type ? -type.getExponent() : 0);
  }

  dend::NetworkOp network, expanded;
  mlir::OwningOpRef<ModuleOp> copy;
  bool stockOnly;
  std::vector<Wire> wires;
  std::vector<Neurons> neurons;
  std::vector<std::string> nodes; // neurons, then inputs
  std::vector<int64_t> latency;   // by node
  std::map<std::string, size_t> index;
  std::map<std::string, std::string> bodies; // written, by model
};

Process NetworkExport::makePopulation(Model &model, Neurons &n, int64_t start) {
  auto population = expanded.lookupSymbol<dend::PopulationOp>(n.name());
  dend::NeuronOp body = dend::modelOf(population);
  Neuron message = writeBody(body);
  Process process;
  process.set_name(n.name());
  process.set_lava_class("neurite_lava.population.Population");
  process.mutable_shape()->Assign(n.shape.begin(), n.shape.end());
  setText(process, "neuron", message.name());
  if (start)
    setInteger(process, "start", start);
  if (bodies.insert({message.name(), ""}).second)
    *model.add_neurons() = std::move(message);

  uint64_t size = n.op.getSize();
  // (neurons, elements) in Lava's order of neurons.
  auto perNeuron = [&](const std::string &key, const Dims &dims,
                       const std::vector<int64_t> &values) {
    std::vector<int64_t> ordered(values.size());
    size_t elements = values.size() / size;
    for (size_t i = 0; i < size; ++i)
      std::copy_n(values.begin() + n.order[i] * elements, elements,
                  ordered.begin() + i * elements);
    Dims all = n.shape;
    all.insert(all.end(), dims.begin(), dims.end());
    setTensor(process, key, denseTensor(all, ordered));
  };
  auto dimsOf = [](mlir::Value value) {
    auto shape = dend::shapeOf(value.getType());
    return Dims(shape.begin(), shape.end());
  };
  for (auto [i, arg] : llvm::enumerate(body.getParamArgs())) {
    dend::ParamAttr param = body.getParam(i);
    std::string name = param.getName().str();
    auto values = readIntegers(population,
                               population.getParamsAttr().get(param.getName()));
    if (param.getPerNeuron())
      perNeuron("param_" + name, dimsOf(arg), values);
    else
      setTensor(process, "param_" + name, denseTensor(dimsOf(arg), values));
  }
  for (auto [i, arg] : llvm::enumerate(body.getStateArgs())) {
    Attribute init = body.getState(i).getInit();
    std::string name = body.getState(i).getName().str();
    if (!init)
      continue;
    if (auto number = dyn_cast<IntegerAttr>(init))
      setInteger(process, "init_" + name, number.getInt());
    else
      perNeuron("init_" + name, dimsOf(arg), readIntegers(population, init));
  }
  std::map<std::string, std::vector<int64_t>> biases;
  for (auto project : network.getOps<dend::ProjectOp>()) {
    if (project.getTarget() != n.op.getSymName() || !project.getBias())
      continue;
    auto values = readIntegers(population, project.getBiasAttr());
    auto &sum = biases[project.getPort().str()];
    sum.resize(values.size(), 0);
    for (size_t k = 0; k < values.size(); ++k)
      sum[k] += values[k];
  }
  for (const auto &[port, values] : biases)
    perNeuron("bias_" + port, dimsOf(body.getPortArgs()[body.findPort(port)]),
              values);
  return process;
}

} // namespace

Model exportNetwork(dend::NetworkOp network, bool stockOnly) {
  return NetworkExport(network, stockOnly).run();
}

} // namespace neurite::lava
