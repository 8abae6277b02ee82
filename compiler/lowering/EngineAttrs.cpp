// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/EngineAttrs.h"

#include "dialects/dend/Constants.h"

using namespace mlir;

namespace neurite {

/// The slice's part of a parameter: one value stays one value.
static ElementsAttr parameter(Builder &builder, StringRef name,
                              const std::vector<int64_t> &values,
                              const Slice &slice) {
  std::vector<int64_t> part = values;
  if (values.size() > 1)
    part.assign(values.begin() + slice.first,
                values.begin() + slice.first + slice.count);
  return dend::makeElements(
      RankedTensorType::get({static_cast<int64_t>(part.size())},
                            builder.getIntegerType(32)),
      name, part);
}

chip::CubaAttr cubaAttr(Builder &builder, const CubaTable &table,
                        const Slice &slice) {
  dend::CubaOp op = table.op;
  chip::CubaAttr::Fields cuba;
  cuba.decay_u = parameter(builder, "decay_u", table.decayU, slice);
  cuba.decay_v = parameter(builder, "decay_v", table.decayV, slice);
  cuba.threshold = parameter(builder, "threshold", table.threshold, slice);
  cuba.bias = parameter(builder, "bias", table.bias, slice);
  if (!table.startU.empty())
    cuba.initial_u = parameter(builder, "initial_u", table.startU, slice);
  if (!table.startV.empty())
    cuba.initial_v = parameter(builder, "initial_v", table.startV, slice);
  cuba.input_wrap_bits = op.getInputWrapBits();
  cuba.vmin = op.getVmin();
  cuba.vmax = op.getVmax();
  cuba.refractory = op.getRefractory();
  cuba.wrap_open_high = op.getWrap() == dend::WrapRange::OpenHigh;
  cuba.bias_wrap = op.getBiasWrap();
  cuba.silent = op.getSilent();
  return chip::CubaAttr::of(builder.getContext(), cuba);
}

/// Words of the neurons of a slice; those that all neurons share stay whole.
static Attribute words(Builder &builder, StringRef name,
                       const std::vector<int64_t> &values, uint64_t elements,
                       bool perNeuron, const Slice &slice) {
  std::vector<int64_t> part = values;
  if (perNeuron)
    part.assign(values.begin() + elements * slice.first,
                values.begin() + elements * (slice.first + slice.count));
  auto type = RankedTensorType::get({static_cast<int64_t>(part.size())},
                                    builder.getI64Type());
  return dend::makeElements(type, name, part);
}

chip::MicrocodeAttr microcodeAttr(Builder &builder, const MicroTable &table,
                                  const Slice &slice, int64_t program) {
  SmallVector<Attribute> params, initial;
  for (size_t i = 0; i < table.params.size(); ++i) {
    const auto &param = table.program.params[i];
    params.push_back(words(builder, param.name, *table.params[i],
                           uint64_t(param.elements), param.per_neuron, slice));
  }
  for (size_t i = 0; i < table.initial.size(); ++i) {
    const auto &state = table.program.states[i];
    bool perNeuron = table.initial[i]->size() > uint64_t(state.elements);
    initial.push_back(words(builder, state.name, *table.initial[i],
                            uint64_t(state.elements), perNeuron, slice));
  }
  return chip::MicrocodeAttr::get(builder.getContext(), program,
                                  builder.getArrayAttr(params),
                                  builder.getArrayAttr(initial));
}

} // namespace neurite
