// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer side of a quantised population: parameters, mantissas, model.

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"
#include "compiler/transforms/quantise/RowRounding.h"
#include "targets/loader/Target.h"
#include "targets/support/FixedNeuron.h"

#include "mlir/IR/Builders.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

/// Integer parameters of dend.cuba, one per neuron.
struct CubaIntegers {
  std::vector<int64_t> decayU, decayV, threshold, bias, startU, startV;
};

struct NamedIntegers {
  const char *name;
  const std::vector<int64_t> *values;
};

/// True if all neurons have the same value.
bool uniform(const std::vector<int64_t> &values) {
  return std::all_of(values.begin(), values.end(),
                     [&](int64_t v) { return v == values.front(); });
}

/// mantissa << exponent nearest to the value, with the fewest dropped bits.
int64_t nearestBias(double value, const NumberFormats &formats) {
  for (uint64_t exponent = 0; exponent <= formats.biasExponentMax; ++exponent) {
    int64_t mantissa = roundEven(std::ldexp(value, -int(exponent)));
    if (std::abs(mantissa) <= formats.biasMantissaMax())
      return mantissa * (int64_t(1) << exponent);
  }
  int64_t largest = formats.biasMantissaMax() << formats.biasExponentMax;
  return value < 0 ? -largest : largest;
}

/// What a state loses of itself in a step, as the engine counts it.
int64_t lossOf(double keep, const NumberFormats &formats) {
  const int bits = int(formats.decayBits);
  return roundEven(std::ldexp(1 - keep, bits)) << (int(kCubaDecayBits) - bits);
}

/// Computes decays, thresholds and biases of a layer at its scale, each as a
/// number that the target's formats can hold.
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

/// Writes a model of one dend.cuba with the given parameters, which are shared
/// where all neurons agree, in front of the population. `startU` and `startV`
/// are initial values or null.
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

std::string span(const std::vector<int64_t> &values) {
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low == *high ? fmt::format("{}", *low)
                       : fmt::format("{}..{}", *low, *high);
}

/// How far the integers are from the real parameters, the worst neuron's.
struct NeuronError {
  double threshold = 0, bias = 0; // of the threshold
  double decay = 0;               // of the state, per tick
  double lossU = 0, lossV = 0;    // of what is lost per tick
  bool none() const { return std::max({threshold, bias, decay}) < 1e-9; }
};

NeuronError errorOf(const QuantisedLayer &layer, const CubaIntegers &ints) {
  NeuronError error;
  double scale = layer.scale.scale;
  constexpr double one = 1 << kCubaDecayBits;
  auto worst = [](double &most, double found, double exact) {
    most = std::max(most, std::fabs(found - exact));
  };
  for (size_t n = 0; n < ints.decayV.size(); ++n) {
    double theta = 1;
    if (layer.shape.fire) {
      theta = layer.reals.theta[n] - layer.reals.resetTo[n];
      // A strict comparison with one unit less is that with the threshold.
      const double least =
          double(ints.threshold[n]) + (layer.bounds.inclusive ? 1 : 0);
      worst(error.threshold, least / scale / theta, 1);
    }
    worst(error.bias, double(ints.bias[n]) / scale / theta,
          layer.bias[n] / theta);
    auto decay = [&](double loss, double keep, double &ofLoss) {
      worst(error.decay, 1 - loss, keep);
      if (keep != 1)
        worst(ofLoss, loss / (1 - keep), 1);
    };
    decay(double(ints.decayU[n] + 1) / one, layer.reals.keepI[n], error.lossU);
    decay(double(ints.decayV[n]) / one, layer.reals.keepV[n], error.lossV);
  }
  return error;
}

/// Whether a current keeps more per tick than the smallest decay leaves.
bool losesTooMuch(const QuantisedLayer &layer, const NumberFormats &formats) {
  const double least = std::ldexp(0.5, -int(formats.decayBits));
  return std::any_of(layer.reals.keepI.begin(), layer.reals.keepI.end(),
                     [&](double keep) { return 1 - keep < least; });
}

/// Warns of what rounding made of a parameter that shapes every spike.
void warnOfRounding(const QuantisedLayer &layer, const NeuronError &error,
                    const Target &chip) {
  constexpr double kLargeError = 0.01, kLargeLossError = 0.25;
  dend::PopulationOp population = layer.population;
  auto note = [&](double off, double most, const std::string &what) {
    if (off > most)
      warn(population->getParentOfType<dend::NetworkOp>(),
           {"rounded-parameter", placeOfLayer(population.getSymName()),
            fmt::format("{}: {:.3g} % off after rounding", what, 100 * off)});
  };
  const NumberFormats &f = chip.formats;
  note(error.threshold, kLargeError,
       fmt::format("threshold, in units of {} of which one of v has {:.4g}",
                   uint64_t(1) << f.thresholdShift,
                   std::ldexp(layer.scale.scale, -int(f.thresholdShift))));
  for (auto [off, what] :
       {std::pair(error.lossU, "current"), std::pair(error.lossV, "potential")})
    note(off, kLargeLossError,
         fmt::format("what the {} loses in a step, in {} bits", what,
                     f.decayBits));
}

report::QuantRowAttr neuronRow(const QuantisedLayer &layer,
                               const CubaIntegers &ints,
                               const NeuronError &error,
                               const NumberFormats &formats) {
  report::QuantRowAttr::Fields row;
  row.detail = fmt::format(
      "decay_u {}, decay_v {}, {}, bias {}, scale {:.6g} units per unit of "
      "v{}, limited by {}, ranges: {} (|u| {:.4g}, |v| {:.4g}); off by up to "
      "{:.2g} "
      "% of the "
      "threshold, {:.2g} % of it in the bias, {:.2g} in what is kept per tick",
      span(ints.decayU) +
          (losesTooMuch(layer, formats)
               ? " (the chip has no -1, a current that loses nothing)"
               : ""),
      span(ints.decayV),
      layer.shape.fire ? "threshold " + span(ints.threshold)
                       : std::string("no threshold"),
      span(ints.bias), layer.scale.scale,
      layer.factors ? fmt::format(", times 1 to {:.4g} by neuron",
                                  *llvm::max_element(layer.factors->factor))
                    : std::string(),
      layer.scale.limitedBy, layer.rangeSource, layer.bounds.current,
      layer.bounds.potential, 100 * error.threshold, 100 * error.bias,
      error.decay);
  dend::PopulationOp population = layer.population;
  row.layer = population.getSymName().str();
  row.scale = layer.scale.scale;
  row.lossless = error.none();
  return report::QuantRowAttr::of(population.getContext(), row);
}

/// Keeps the range that decided on the scale.
void keepRanges(const QuantisedLayer &layer) {
  const double scale = layer.scale.scale;
  const bool byCurrent =
      layer.seenCurrent && layer.scale.limitedBy == LayerScale::kByCurrent;
  SmallVector<std::pair<StringRef, double>> kept;
  if (byCurrent)
    kept.push_back({"u", *layer.seenCurrent * scale});
  if (layer.seenPotential && layer.scale.limitedBy == LayerScale::kByPotential)
    kept.push_back({"v", *layer.seenPotential * scale});
  keepDecisive(layer.population, kept);
}

} // namespace

void rewriteLayer(QuantisedLayer &layer, const Target &chip,
                  SmallVectorImpl<report::QuantRowAttr> &report) {
  const NumberFormats &formats = chip.formats;
  CubaIntegers ints = toIntegers(layer, formats);
  dend::PopulationOp population = layer.population;
  Builder builder(population.getContext());
  ConstantMaker constants(population);
  int64_t n = population.getSize();
  auto make = [&](StringRef name, const std::vector<int64_t> &values) {
    std::string wanted = (population.getSymName() + "." + name).str();
    return uniform(values) ? constants.make(wanted, {}, 32, {values.front()})
                           : constants.make(wanted, {n}, 32, values);
  };
  NamedIntegers params[] = {{"decay_u", &ints.decayU},
                            {"decay_v", &ints.decayV},
                            {"threshold", &ints.threshold},
                            {"bias", &ints.bias}};
  NamedAttrList bindings;
  for (const NamedIntegers &param : params)
    bindings.set(param.name, make(param.name, *param.values));
  auto start = [&](StringRef name, const std::vector<int64_t> &values) {
    bool zero = uniform(values) && values.front() == 0;
    return zero ? FlatSymbolRefAttr()
                : constants.make((population.getSymName() + "." + name).str(),
                                 {n}, 32, values);
  };
  dend::NeuronOp model =
      makeCubaModel(layer, params, start("start_u", ints.startU),
                    start("start_v", ints.startV), formats);
  population.setModel(model.getSymName());
  population.setParamsAttr(bindings.getDictionary(population.getContext()));
  // Where neurons count in steps of their own, no number stands for all.
  if (!layer.factors)
    population.setScaleAttr(builder.getF64FloatAttr(layer.scale.scale));
  keepRanges(layer);
  const NeuronError error = errorOf(layer, ints);
  warnOfRounding(layer, error, chip);
  report.push_back(neuronRow(layer, ints, error, formats));
  for (size_t i = 0; i < layer.projections.size(); ++i) {
    int shift = layer.scale.shift[i];
    report.push_back(writeMantissas(layer.projections[i], layer.weights[i],
                                    std::ldexp(1.0, shift) / layer.scale.scale,
                                    shift, formats, "v"));
    layer.projections[i].removeBiasAttr();
    layer.projections[i].setPort("I");
  }
}

LogicalResult rewriteOutput(dend::OutputOp output,
                            const std::vector<QuantisedLayer> &layers) {
  for (const QuantisedLayer &layer : layers) {
    if (dend::PopulationOp(layer.population).getSymName() !=
        output.getPopulation())
      continue;
    dend::NeuronOp model = layer.model;
    bool spikes = !output.getProbe() && layer.shape.fire;
    bool current =
        output.getProbe() && layer.shape.synapseState >= 0 &&
        model.findState(output.getFrom()) == layer.shape.synapseState;
    // The host divides a state by one scale; it cannot add what was moved out.
    auto all = [](const std::vector<double> &values, double value) {
      return std::all_of(values.begin(), values.end(),
                         [&](double v) { return v == value; });
    };
    if (current && !(all(layer.settled, 0) && all(layer.reals.gainV, 1)))
      return output.emitError("probes '")
             << output.getFrom() << "' of '@" << output.getPopulation()
             << "', which the chip holds without its bias and times the "
                "membrane's gain; probe the potential";
    if (!spikes && !current && !all(layer.reals.resetTo, 0))
      return output.emitError("probes '")
             << output.getFrom() << "' of '@" << output.getPopulation()
             << "', which the chip counts from the reset value; a probed "
                "potential needs a reset value of 0";
    output.setProbe(!spikes);
    output.setFrom(spikes ? "s" : current ? "u" : "v");
    break;
  }
  return success();
}

void eraseUnusedSymbols(dend::NetworkOp network) {
  eraseUnused<dend::NeuronOp>(network);
  eraseUnused<dend::ConstantOp>(network); // those of the models, too
}

} // namespace dendrolith
