// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/LinearPort.h"

#include "compiler/pipelines/few_bits/RealConstant.h"
#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/CubaShape.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith {
namespace {

int64_t elementsOf(Value value) {
  int64_t count = 1;
  for (int64_t extent : dend::shapeOf(value.getType()))
    count *= extent;
  return count;
}

std::vector<dend::ProjectOp> projectionsInto(dend::PopulationOp population,
                                             StringRef port) {
  std::vector<dend::ProjectOp> found;
  for (dend::ProjectOp project : dend::projectionsInto(population))
    if (project.getPort() == port)
      found.push_back(project);
  return found;
}

} // namespace

LinearPort::LinearPort(dend::PopulationOp population, unsigned port)
    : population(population), bound(dend::modelOf(population)), port(port),
      neurons(population.getSize()) {
  width = elementsOf(bound.model.getPortArgs()[port]);
}

std::optional<LinearPort> LinearPort::of(dend::PopulationOp population,
                                         StringRef name) {
  if (kindOf(population) != ModelKind::Body)
    return std::nullopt;
  const int at = dend::modelOf(population).findPort(name);
  if (at < 0)
    return std::nullopt;
  LinearPort found(population, unsigned(at));
  Value port = found.bound.model.getPortArgs()[at];
  if (found.bound.populations.size() != 1 || !dend::isReal(port.getType()) ||
      dend::shapeOf(port.getType()).size() > 1 || !found.follow(port, 0) ||
      found.factors.empty() || !found.canScale())
    return std::nullopt;
  return found;
}

bool LinearPort::follow(Value value, int64_t first) {
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return follow(use, first); });
}

/// Follows elements that begin at `first` of the value that is used.
bool LinearPort::follow(OpOperand &use, int64_t first) {
  Operation *user = use.getOwner();
  const unsigned at = use.getOperandNumber();
  auto other = [&] { return user->getOperand(1 - at); };
  return llvm::TypeSwitch<Operation *, bool>(user)
      .Case([&](dend::ConcatOp concat) {
        for (unsigned i = 0; i < at; ++i)
          first += elementsOf(concat.getInputs()[i]);
        joined.push_back(cast<OpResult>(concat.getResult()));
        return follow(concat.getResult(), first);
      })
      .Case([&](dend::MatVecOp) {
        return at == 1 && multiplies(other(), user, first, true);
      })
      .Case([&](dend::DotOp) { return multiplies(other(), user, first, true); })
      .Case([&](dend::MulOp) {
        return other().getType() == use.get().getType() &&
               multiplies(other(), user, first, false);
      })
      .Default(false);
}

bool LinearPort::multiplies(Value param, Operation *product, int64_t first,
                            bool sums) {
  auto number = bound.parameter(param);
  if (!number || !dend::isReal(param.getType()) || !param.hasOneUse() ||
      !bound.hasElements(param))
    return false;
  Factor factor{*number, first, sums};
  const bool own = bound.rows(population, param).perNeuron;
  perNeuron = perNeuron && own;
  Value result = product->getResult(0);
  auto add = result.hasOneUse() ? dyn_cast<dend::AddOp>(*result.user_begin())
                                : dend::AddOp();
  if (add) {
    Value bias = add.getLhs() == result ? add.getRhs() : add.getLhs();
    auto its = bound.parameter(bias);
    if (its && bias.hasOneUse() && bias.getType() == result.getType() &&
        bound.hasElements(bias) &&
        bound.rows(population, bias).perNeuron == own)
      factor.bias = its;
  }
  factors.push_back(factor);
  return true;
}

size_t LinearPort::groups() const {
  return size_t(width) * (perNeuron ? neurons : 1);
}

size_t LinearPort::groupOf(uint32_t target) const {
  return perNeuron ? target : target % size_t(width);
}

/// Whether each weight into the port belongs to one group.
bool LinearPort::canScale() {
  StringRef name = bound.model.getPort(port).getName().getValue();
  for (dend::ProjectOp project : projectionsInto(population, name)) {
    auto synapses = project.getWeightAttr()
                        ? readSynapses<double>(project)
                        : FailureOr<SynapseArrays<double>>(failure());
    if (failed(synapses))
      return false;
    std::vector<size_t> group(synapses->weights.size(), groups());
    for (size_t k = 0; k < synapses->size(); ++k) {
      size_t &of = group[synapses->indexOf(k)];
      const size_t its = groupOf(synapses->target[k]);
      if (of != groups() && of != its)
        return false;
      of = its;
    }
  }
  return true;
}

void LinearPort::scaleProjections(const std::vector<double> &factor) {
  StringRef name = bound.model.getPort(port).getName().getValue();
  for (dend::ProjectOp project : projectionsInto(population, name)) {
    auto synapses = readSynapses<double>(project);
    std::vector<double> weights = synapses->weights;
    for (size_t k = 0; k < synapses->size(); ++k)
      weights[synapses->indexOf(k)] =
          synapses->weight(k) * factor[groupOf(synapses->target[k])];
    auto remake = [&](FlatSymbolRefAttr symbol,
                      const std::vector<double> &values) {
      auto constant = dend::symbolOf<dend::ConstantOp>(population, symbol);
      return makeReals(population, (symbol.getValue() + ".scaled").str(),
                       cast<RankedTensorType>(constant.getType()).getShape(),
                       values);
    };
    project.setWeightAttr(remake(project.getWeightAttr(), weights));
    if (FlatSymbolRefAttr bias = project.getBiasAttr()) {
      auto values = dend::readReals(project, bias);
      for (size_t n = 0; n < values->size(); ++n)
        (*values)[n] *= factor[groupOf(uint32_t(n))];
      project.setBiasAttr(remake(bias, *values));
    }
  }
}

void LinearPort::scaleRanges(double largest) {
  StringRef name = bound.model.getPort(port).getName().getValue();
  auto range = getCalibration(population, name);
  if (range) {
    *range = {range->low * largest, range->high * largest};
    setCalibration(population, name, *range);
  }
  for (OpResult value : joined)
    if (auto seen = getCalibration(value)) {
      const SeenRange own =
          range ? *range : SeenRange{seen->low * largest, seen->high * largest};
      setCalibration(value, {std::min(seen->low, own.low),
                             std::max(seen->high, own.high)});
    }
}

void LinearPort::scale(const std::vector<double> &factor) {
  scaleProjections(factor);
  Params params;
  for (const Factor &its : factors) {
    Value param = bound.model.getParamArgs()[its.param];
    auto [at, isNew] = params.try_emplace(its.param);
    if (isNew)
      at->second = bound.rows(population, param);
    BoundRows &rows = at->second;
    const auto shape = dend::shapeOf(param.getType());
    const size_t columns = shape.empty() ? 1 : size_t(shape.back());
    for (size_t k = 0; k < rows.values.size(); ++k) {
      const int64_t j = int64_t(k % columns) - its.first;
      if (j >= 0 && j < width)
        rows.values[k] /=
            factor[groupOf(uint32_t(int64_t(k / rows.width()) * width + j))];
    }
  }
  write(params);
  scaleRanges(*std::max_element(factor.begin(), factor.end()));
}

bool LinearPort::addMeans(const std::vector<double> &lost, Params &now,
                          Params &original) const {
  if (llvm::any_of(factors, [](const Factor &its) { return !its.bias; }))
    return false;
  // One bias for all neurons cannot follow what each of them lost.
  if (!perNeuron && neurons != 1)
    return false;
  dend::NeuronOp model = bound.model;
  for (const Factor &its : factors) {
    Value param = model.getParamArgs()[its.param];
    const BoundRows of = bound.rows(population, param);
    if (!now.count(*its.bias))
      original[*its.bias] = now[*its.bias] =
          bound.rows(population, model.getParamArgs()[*its.bias]);
    BoundRows &biases = now[*its.bias];
    const auto shape = dend::shapeOf(param.getType());
    const size_t columns = shape.empty() ? 1 : size_t(shape.back());
    for (size_t k = 0; k < of.values.size(); ++k) {
      const int64_t j = int64_t(k % columns) - its.first;
      if (j < 0 || j >= width)
        continue;
      const size_t neuron = k / of.width(), within = k % of.width();
      biases.values[neuron * biases.width() +
                    (its.sums ? within / columns : within)] +=
          of.values[k] * lost[neuron * size_t(width) + size_t(j)];
    }
  }
  return true;
}

void LinearPort::write(const Params &params) {
  for (const auto &[param, rows] : params)
    bound.setRows(population, param,
                  bound.model.getParamArgs()[param].getType(), rows);
}

} // namespace dendrolith
