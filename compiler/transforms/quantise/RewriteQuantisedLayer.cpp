// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer side of a quantised population: parameters, mantissas, model.

#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/quantise/CubaModel.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"

#include "mlir/IR/Builders.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

std::string span(const std::vector<int64_t> &values) {
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low == *high ? fmt::format("{}", *low)
                       : fmt::format("{}..{}", *low, *high);
}

/// How far the integers are from the real parameters, the worst neuron's.
struct NeuronError {
  double threshold = 0, bias = 0; // of the threshold
  double decay = 0;               // of the state, per tick
  bool none() const { return std::max({threshold, bias, decay}) < 1e-9; }
};

NeuronError errorOf(const QuantisedLayer &layer, const CubaIntegers &ints,
                    const NumberFormats &formats) {
  NeuronError error;
  double scale = layer.scale.scale, one = std::ldexp(1.0, formats.decayBits);
  auto worst = [](double &most, double found, double exact) {
    most = std::max(most, std::fabs(found - exact));
  };
  for (size_t n = 0; n < ints.decayV.size(); ++n) {
    double theta = 1;
    if (layer.shape.fire) {
      theta = layer.reals.theta[n] - layer.reals.resetTo[n];
      worst(error.threshold, double(ints.threshold[n]) / scale / theta, 1);
    }
    worst(error.bias, double(ints.bias[n]) / scale / theta,
          layer.bias[n] / theta);
    worst(error.decay, 1 - double(ints.decayU[n] + 1) / one,
          layer.reals.keepI[n]);
    worst(error.decay, 1 - double(ints.decayV[n]) / one, layer.reals.keepV[n]);
  }
  return error;
}

/// Whether a current keeps more per tick than the smallest decay leaves.
bool losesTooMuch(const QuantisedLayer &layer, const NumberFormats &formats) {
  const double least = std::ldexp(0.5, -int(formats.decayBits));
  return std::any_of(layer.reals.keepI.begin(), layer.reals.keepI.end(),
                     [&](double keep) { return 1 - keep < least; });
}

report::QuantRowAttr neuronRow(const QuantisedLayer &layer,
                               const CubaIntegers &ints,
                               const NumberFormats &formats) {
  NeuronError error = errorOf(layer, ints, formats);
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
  const double scale = layer.scale.scale;
  if (layer.seenCurrent && layer.scale.limitedBy == LayerScale::kByCurrent)
    keepDecisive(population, {{"u", *layer.seenCurrent * scale}});
  else if (layer.seenPotential &&
           layer.scale.limitedBy == LayerScale::kByPotential)
    keepDecisive(population, {{"v", *layer.seenPotential * scale}});
  else
    keepDecisive(population, {});
  report.push_back(neuronRow(layer, ints, formats));
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
