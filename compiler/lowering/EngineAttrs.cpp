// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/EngineAttrs.h"

#include "dialects/dend/Constants.h"

#include "targets/support/FixedNeuron.h"

using namespace mlir;

namespace dendrolith {

std::vector<int64_t> GroupNeurons::gather(const std::vector<int64_t> &values,
                                          uint64_t elements) const {
  auto at = [&](uint64_t neuron) { return values.begin() + elements * neuron; };
  if (order.empty())
    return {at(first), at(uint64_t(first) + count)};
  std::vector<int64_t> part;
  part.reserve(elements * count);
  for (uint32_t neuron : order.slice(first, count))
    part.insert(part.end(), at(neuron), at(uint64_t(neuron) + 1));
  return part;
}

/// The group's part of a parameter: one value stays one value.
static ElementsAttr parameter(Builder &builder, StringRef name,
                              const std::vector<int64_t> &values,
                              const GroupNeurons &neurons) {
  std::vector<int64_t> part =
      values.size() > 1 ? neurons.gather(values, 1) : values;
  return dend::makeElements(
      RankedTensorType::get({static_cast<int64_t>(part.size())},
                            builder.getIntegerType(32)),
      name, part);
}

chip::CubaAttr cubaAttr(Builder &builder, const CubaTable &table,
                        const GroupNeurons &neurons) {
  dend::CubaOp op = table.op;
  chip::CubaAttr::Fields cuba;
  cuba.decay_u = parameter(builder, "decay_u", table.decayU, neurons);
  cuba.decay_v = parameter(builder, "decay_v", table.decayV, neurons);
  cuba.threshold = parameter(builder, "threshold", table.threshold, neurons);
  cuba.bias = parameter(builder, "bias", table.bias, neurons);
  if (!table.startU.empty())
    cuba.initial_u = parameter(builder, "initial_u", table.startU, neurons);
  if (!table.startV.empty())
    cuba.initial_v = parameter(builder, "initial_v", table.startV, neurons);
  cuba.input_wrap_bits = op.getInputWrapBits();
  if (op.getCurrentBits() != kCubaCurrentBits)
    cuba.current_bits = op.getCurrentBits();
  cuba.vmin = op.getVmin();
  cuba.vmax = op.getVmax();
  cuba.refractory = op.getRefractory();
  cuba.wrap_open_high = op.getWrap() == dend::WrapRange::OpenHigh;
  cuba.bias_wrap = op.getBiasWrap();
  cuba.silent = op.getSilent();
  return chip::CubaAttr::of(builder.getContext(), cuba);
}

/// Words of the group's neurons; those that all neurons share stay whole.
static Attribute words(Builder &builder, StringRef name,
                       const std::vector<int64_t> &values, uint64_t elements,
                       bool perNeuron, const GroupNeurons &neurons) {
  std::vector<int64_t> part =
      perNeuron ? neurons.gather(values, elements) : values;
  auto type = RankedTensorType::get({static_cast<int64_t>(part.size())},
                                    builder.getI64Type());
  return dend::makeElements(type, name, part);
}

chip::MicrocodeAttr microcodeAttr(Builder &builder, const MicroTable &table,
                                  const GroupNeurons &neurons,
                                  int64_t program) {
  SmallVector<Attribute> params, initial;
  for (size_t i = 0; i < table.params.size(); ++i) {
    const auto &param = table.program.params[i];
    params.push_back(words(builder, param.name, *table.params[i],
                           uint64_t(param.elements), param.per_neuron,
                           neurons));
  }
  for (size_t i = 0; i < table.initial.size(); ++i) {
    const auto &state = table.program.states[i];
    bool perNeuron = table.initial[i]->size() > uint64_t(state.elements);
    initial.push_back(words(builder, state.name, *table.initial[i],
                            uint64_t(state.elements), perNeuron, neurons));
  }
  return chip::MicrocodeAttr::get(builder.getContext(), program,
                                  builder.getArrayAttr(params),
                                  builder.getArrayAttr(initial));
}

} // namespace dendrolith
