// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Neurons.h"

#include "targets/support/Error.h"

#include <map>

using namespace mlir;

namespace dendrolith::lava {

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
  for (const auto &[port, values] : biases)
    perNeuron("bias_" + port, dimsOf(body.getPortArgs()[body.findPort(port)]),
              values);
  return process;
}

} // namespace dendrolith::lava
