// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/EngineAttrs.h"

#include "dialects/dend/Constants.h"

using namespace mlir;

namespace neurite {

/// The slice's part of a parameter: one value stays one value.
static NamedAttribute parameter(Builder &builder, StringRef name,
                                const std::vector<int64_t> &values,
                                const Slice &slice) {
  std::vector<int64_t> part = values;
  if (values.size() > 1)
    part.assign(values.begin() + slice.first,
                values.begin() + slice.first + slice.count);
  return builder.getNamedAttr(
      name, dend::makeElements(
                RankedTensorType::get({static_cast<int64_t>(part.size())},
                                      builder.getIntegerType(32)),
                name, part));
}

DictionaryAttr cubaAttr(Builder &builder, const CubaTable &table,
                        const Slice &slice) {
  dend::CubaOp op = table.op;
  SmallVector<NamedAttribute> entries{
      parameter(builder, "decay_u", table.decayU, slice),
      parameter(builder, "decay_v", table.decayV, slice),
      parameter(builder, "threshold", table.threshold, slice),
      parameter(builder, "bias", table.bias, slice)};
  if (!table.startU.empty())
    entries.push_back(parameter(builder, "initial_u", table.startU, slice));
  if (!table.startV.empty())
    entries.push_back(parameter(builder, "initial_v", table.startV, slice));
  auto option = [&](StringRef name, int64_t value) {
    entries.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  };
  option("input_wrap_bits", op.getInputWrapBits());
  option("vmin", op.getVmin());
  option("vmax", op.getVmax());
  option("refractory", op.getRefractory());
  if (op.getWrap() == dend::WrapRange::OpenHigh)
    entries.push_back(
        builder.getNamedAttr("wrap_open_high", builder.getUnitAttr()));
  if (op.getBiasWrap())
    entries.push_back(builder.getNamedAttr("bias_wrap", builder.getUnitAttr()));
  if (op.getSilent())
    entries.push_back(builder.getNamedAttr("silent", builder.getUnitAttr()));
  return builder.getDictionaryAttr(entries);
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

DictionaryAttr microcodeAttr(Builder &builder, const MicroTable &table,
                             const Slice &slice, int64_t program) {
  SmallVector<Attribute> params, initial;
  for (size_t i = 0; i < table.params.size(); ++i) {
    const auto &param = table.program.params(int(i));
    params.push_back(words(builder, param.name(), *table.params[i],
                           param.elements(), param.per_neuron(), slice));
  }
  for (size_t i = 0; i < table.initial.size(); ++i) {
    const auto &state = table.program.states(int(i));
    bool perNeuron = table.initial[i]->size() > state.elements();
    initial.push_back(words(builder, state.name(), *table.initial[i],
                            state.elements(), perNeuron, slice));
  }
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("program", builder.getI64IntegerAttr(program)),
       builder.getNamedAttr("params", builder.getArrayAttr(params)),
       builder.getNamedAttr("initial", builder.getArrayAttr(initial))});
}

} // namespace neurite
