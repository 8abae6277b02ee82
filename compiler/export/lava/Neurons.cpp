// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Neurons.h"

#include "compiler/export/lava/Body.h"
#include "compiler/export/lava/Catalogue.h"
#include "compiler/export/lava/ReadNetwork.h"
#include "compiler/lava/Recognise.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/NumberAttrs.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>

using namespace mlir;

namespace dendrolith::lava {
namespace {

constexpr unsigned kPortBits = 32; // Lava's ports are int32

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
  // Parameters and states are found by their place, because names in a model
  // are free.
  auto params = parameterNames(*n.form), states = stateNames(*n.form);
  for (size_t i = 0; i < params.size(); ++i)
    constants.parameters[params[i]] = inOrder(readIntegers(
        n.op, n.op.getParamsAttr().get(model.getParam(unsigned(i)).getName())));
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

bool hasBias(dend::PopulationOp population) {
  for (auto project : dend::networkOf(population).getOps<dend::ProjectOp>())
    if (project.getTarget() == population.getSymName() && project.getBias())
      return true;
  return false;
}

/// Lava's shape of the neurons, and the elements of a value of each.
Dims withElements(Dims shape, mlir::Type value) {
  ArrayRef<int64_t> own = dend::shapeOf(value);
  shape.insert(shape.end(), own.begin(), own.end());
  return shape;
}

} // namespace

std::vector<int64_t> readIntegers(dend::PopulationOp population,
                                  Attribute symbol) {
  auto values = dend::readInts(population, symbol);
  if (failed(values))
    throw Error(fmt::format("population '@{}': '{}' has no readable integers",
                            population.getSymName().str(),
                            cast<FlatSymbolRefAttr>(symbol).getValue().str()));
  return std::move(*values);
}

Neurons::Neurons(dend::PopulationOp population, const std::vector<Wire> &wires)
    : op(population), cuba(readCubaNumbers(population)) {
  if (!cuba)
    form = recognise(dend::modelOf(population));
  uint64_t size = population.getSize();
  shape = {size};
  order.resize(size);
  std::iota(order.begin(), order.end(), 0);
  // Lava wants the shape (W, H, C) where a convolution begins or ends.
  std::optional<std::array<int64_t, 3>> maps;
  for (const Wire &wire : wires) {
    if (!wire.window)
      continue;
    const dend::Window &window = *wire.window;
    if (wire.source == name())
      maps = window.input;
    if (wire.target == name())
      maps = {window.channels, window.output(0), window.output(1)};
  }
  if (maps && uint64_t((*maps)[0] * (*maps)[1] * (*maps)[2]) == size) {
    auto [channels, height, width] = *maps;
    shape = {uint64_t(width), uint64_t(height), uint64_t(channels)};
    size_t next = 0;
    for (int64_t x = 0; x < width; ++x)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t c = 0; c < channels; ++c)
          order[next++] = uint32_t((c * height + y) * width + x);
  }
  dend::NeuronOp model = dend::modelOf(population);
  for (auto [i, port] : llvm::enumerate(model.getPortArgs())) {
    auto type = dend::fixedType(port.getType());
    const std::string its = model.getPort(unsigned(i)).getName().str();
    auto shares = [&](unsigned bits) {
      return llvm::all_of(wires, [&](const Wire &wire) {
        return wire.target != name() || wire.port != its ||
               divisible(wire, bits);
      });
    };
    unsigned bits = 0;
    while (type && bits + kPortBits < type.getWidth() && shares(bits + 1))
      ++bits;
    if (bits)
      units[its] = bits;
  }
}

bool Neurons::makeStock(const std::vector<Wire> &wires, int64_t latency) {
  stock.reset();
  unit = 0;
  auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return false;
  };
  if (hasBias(op))
    return refuse("a projection into it has a bias");
  if (form) {
    // Such a process begins in the first step, so it cannot lag.
    if (latency)
      return refuse(fmt::format("it lags by {} steps, in which {} would run",
                                latency, form->lavaClass));
    stock = asClass(name(), shape, *form, readConstants(*this), why);
    return stock.has_value();
  }
  if (!cuba)
    return refuse("it has " + firstOperation(dend::modelOf(op)));
  std::vector<double> sums(op.getSize(), 0.0);
  for (const Wire &wire : wires) {
    if (wire.target != name())
      continue;
    if (!divisible(wire, kCurrentShift)) {
      why = fmt::format("a weight from '@{}' is no multiple of 64, the "
                        "unit of LIF's input",
                        wire.source);
      return false;
    }
    auto largest = largestSums(wire);
    for (size_t k = 0; k < sums.size(); ++k)
      sums[k] += largest[k];
  }
  double most =
      *std::max_element(sums.begin(), sums.end()) / double(1 << kCurrentShift);
  if (most > double(kMostCurrent)) {
    why = fmt::format("its input may reach {:.0f}, beyond {} LIF's current "
                      "wraps in another way",
                      most, kMostCurrent);
    return false;
  }
  stock = asLif(name(), shape, order, *cuba, latency, why);
  unit = stock ? kCurrentShift : 0;
  return stock.has_value();
}

Receiver Neurons::receiver(const Wire &wire) {
  auto model = dend::modelOf(op);
  int port = model.findPort(wire.port);
  auto type = model.getPortArgs()[unsigned(port)].getType();
  Receiver to{wire.target, "a_in", shape, isPicture()};
  to.unit = unit;
  if (!stock) {
    to.port = "in_" + wire.port;
    to.shape = withElements(shape, type);
    to.width =
        dend::fixedType(type) ? dend::fixedType(type).getWidth() : kPortBits;
    if (auto its = units.find(wire.port); its != units.end()) {
      to.unit = its->second;
      to.width -= its->second;
    }
  } else if (form) {
    size_t term = size_t(port);
    const NeuronClass &neuron = *findNeuronClass(form->lavaClass);
    for (size_t input = 0; input < neuron.inputs.size(); ++input) {
      const auto &terms = form->inputs[input];
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

Sender Neurons::sender(const std::string &output) {
  if (stock)
    return {name(), "s_out", shape, isPicture()};
  auto model = dend::modelOf(op);
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  mlir::Value value = yield.getEmitted()[unsigned(model.findOutput(output))];
  return {name(), "out_" + output, withElements(shape, value.getType()),
          isPicture()};
}

std::string Neurons::variable(const std::string &state) {
  if (!stock)
    return "state_" + state;
  auto model = dend::modelOf(op);
  unsigned at = unsigned(model.findState(state));
  if (form)
    return stateNames(*form)[at];
  mlir::Value value = model.getStateArgs()[at];
  auto only = *model.getBlock().getOps<dend::CubaOp>().begin();
  if (value == only.getR())
    throw Error(fmt::format("output of state '{}' of population '@{}': Lava's "
                            "LIF has no refractory count",
                            state, name()));
  return value == only.getU() ? "u" : "v";
}

double Neurons::unitsOf(const std::string &state) {
  if (op.getScale())
    return op.getScale()->convertToDouble();
  auto model = dend::modelOf(op);
  auto type = dend::fixedType(
      model.getStateArgs()[unsigned(model.findState(state))].getType());
  return std::ldexp(1.0, type ? -type.getExponent() : 0) *
         dend::unitsOf(op, dend::kStateUnits, state);
}

Process makePopulation(const Neurons &n, dend::PopulationOp population,
                       int64_t start) {
  dend::NeuronOp body = dend::modelOf(population);
  Process process;
  process.set_name(population.getSymName().str());
  process.set_lava_class("dendrolith_lava.population.Population");
  process.mutable_shape()->Assign(n.shape.begin(), n.shape.end());
  setText(process, "neuron", body.getSymName().str());
  if (start)
    setInteger(process, "start", start);
  uint64_t size = population.getSize();
  // Writes values as (neurons, elements), in Lava's order of neurons.
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
  for (auto project : dend::networkOf(population).getOps<dend::ProjectOp>()) {
    if (project.getTarget() != population.getSymName() || !project.getBias())
      continue;
    auto values = readIntegers(population, project.getBiasAttr());
    auto &sum = biases[project.getPort().str()];
    sum.resize(values.size(), 0);
    for (size_t k = 0; k < values.size(); ++k)
      sum[k] += values[k];
  }
  for (const auto &[port, bits] : n.units)
    setInteger(process, "unit_" + port, bits);
  for (const auto &[port, values] : biases)
    perNeuron("bias_" + port, dimsOf(body.getPortArgs()[body.findPort(port)]),
              values);
  return process;
}

} // namespace dendrolith::lava
