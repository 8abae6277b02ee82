// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/CubaModel.h"

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/quantise/RowRounding.h"

#include "targets/support/FixedNeuron.h"

#include "mlir/IR/Builders.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith {

bool uniform(const std::vector<int64_t> &values) {
  return std::all_of(values.begin(), values.end(),
                     [&](int64_t v) { return v == values.front(); });
}

/// mantissa << exponent nearest to the value, with the fewest dropped bits.
static int64_t nearestBias(double value, const NumberFormats &formats) {
  for (uint64_t exponent = 0; exponent <= formats.biasExponentMax; ++exponent) {
    int64_t mantissa = roundEven(std::ldexp(value, -int(exponent)));
    if (std::abs(mantissa) <= formats.biasMantissaMax())
      return mantissa * (int64_t(1) << exponent);
  }
  int64_t largest = formats.biasMantissaMax() << formats.biasExponentMax;
  return value < 0 ? -largest : largest;
}

/// What a state loses of itself in a step, as the engine counts it.
static int64_t lossOf(double keep, const NumberFormats &formats) {
  const int bits = int(formats.decayBits);
  return roundEven(std::ldexp(1 - keep, bits)) << (int(kCubaDecayBits) - bits);
}

CubaIntegers toIntegers(const QuantisedLayer &layer,
                        const NumberFormats &formats) {
  CubaIntegers all;
  const CubaReals &reals = layer.reals;
  double scale = layer.scale.scale;
  int64_t limit = formats.stateMax();
  auto state = [&](double value) {
    return std::clamp(roundEven(value * scale), -limit, limit);
  };
  for (size_t n = 0; n < reals.keepV.size(); ++n) {
    // The field has no sign: a current that loses nothing loses 1/4096.
    all.decayU.push_back(
        std::max<int64_t>(lossOf(reals.keepI[n], formats) - 1, 0));
    all.decayV.push_back(lossOf(reals.keepV[n], formats));
    double theta = layer.shape.fire
                       ? scale * (reals.theta[n] - reals.resetTo[n])
                       : std::ldexp(double(formats.thresholdMantissaMax()),
                                    int(formats.thresholdShift));
    int64_t mantissa = int64_t(
        std::min(thresholdMantissa(theta, formats, layer.bounds.inclusive),
                 double(formats.thresholdMantissaMax())));
    all.threshold.push_back(mantissa << formats.thresholdShift);
    all.bias.push_back(nearestBias(layer.bias[n] * scale, formats));
    all.startU.push_back(state(layer.startU[n]));
    all.startV.push_back(state(layer.startV[n]));
  }
  return all;
}

dend::NeuronOp makeCubaModel(QuantisedLayer &layer,
                             ArrayRef<NamedIntegers> params,
                             FlatSymbolRefAttr startU, FlatSymbolRefAttr startV,
                             const NumberFormats &formats) {
  auto network = layer.population->getParentOfType<dend::NetworkOp>();
  OpBuilder builder(layer.population);
  MLIRContext *context = builder.getContext();
  auto fx = [&](unsigned width) {
    return dend::FxType::get(context, width, 0);
  };
  Type i32 = builder.getI32Type();
  auto text = [&](StringRef name) { return builder.getStringAttr(name); };
  SmallVector<Attribute> ports{
      dend::PortAttr::get(context, text("I"), FlatSymbolRefAttr())};
  SmallVector<Attribute> paramAttrs, states, outputs;
  SmallVector<Type> types{fx(64)};
  for (const NamedIntegers &param : params) {
    paramAttrs.push_back(dend::ParamAttr::get(context, text(param.name),
                                              !uniform(*param.values)));
    types.push_back(i32);
  }
  auto state = [&](StringRef name, Attribute init, Type type) {
    states.push_back(
        dend::StateAttr::get(context, text(name), text("sample"), init));
    types.push_back(type);
  };
  state("u", startU, fx(32));
  state("v", startV, fx(32));
  state("r", {}, i32);
  if (layer.shape.fire)
    outputs.push_back(dend::OutputAttr::get(context, text("s"),
                                            dend::binarySpike(context), 1));
  std::string name =
      freeName(network, layer.population.getSymName().str() + ".cuba");
  auto model = dend::NeuronOp::create(
      builder, layer.model.getLoc(), builder.getStringAttr(name),
      builder.getArrayAttr(ports), builder.getArrayAttr(paramAttrs),
      builder.getArrayAttr(states), builder.getArrayAttr(outputs));
  Block &block = model.getBody().emplaceBlock();
  for (Type type : types)
    block.addArgument(type, model.getLoc());
  builder.setInsertionPointToStart(&block);
  auto args = block.getArguments();
  auto cuba =
      dend::CubaOp::create(builder, model.getLoc(),
                           TypeRange{builder.getI1Type(), fx(32), fx(32), i32},
                           ValueRange{args[0], args[5], args[6], args[7],
                                      args[1], args[2], args[3], args[4]});
  setStates(cuba, formats);
  cuba.setSilent(!layer.shape.fire);
  cuba.setRefractory(uint64_t(layer.shape.refractory));
  SmallVector<Value> emitted;
  if (layer.shape.fire)
    emitted.push_back(cuba.getSpike());
  dend::YieldOp::create(
      builder, model.getLoc(),
      ValueRange{cuba.getNextU(), cuba.getNextV(), cuba.getNextR()}, emitted);
  return model;
}

} // namespace dendrolith
