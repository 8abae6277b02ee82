// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/BodyParams.h"

#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/NetworkIndex.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

// Poles closer to the unit circle than this forget too slowly for their format.
constexpr double kNearCircle = 1.0 / 256;
constexpr double kLargeError = 0.01; // of a parameter, relative

/// Raw integer nearest to a real number in a format.
int64_t rawOf(double value, dend::FxType format) {
  double limit = std::ldexp(1.0, int(format.getWidth()) - 1);
  double raw = std::nearbyint(std::ldexp(value, -format.getExponent()));
  return int64_t(std::clamp(raw, -limit, limit - 1));
}

unsigned storageBits(dend::FxType format) {
  return format.getWidth() <= 32 ? 32 : 64;
}

} // namespace

StringRef BodyParams::nameOf(BlockArgument parameter) {
  dend::NeuronOp model = dend::modelOf(population);
  unsigned first = unsigned(model.getPortArgs().size());
  return model.getParam(parameter.getArgNumber() - first).getName().getValue();
}

LogicalResult BodyParams::read() {
  dend::NeuronOp model = dend::modelOf(population);
  DictionaryAttr bound = population.getParamsAttr();
  for (BlockArgument parameter : model.getParamArgs()) {
    if (!dend::isReal(parameter.getType()))
      continue;
    StringRef name = nameOf(parameter);
    Attribute symbol = bound ? bound.get(name) : Attribute();
    auto values = dend::readReals(population, symbol);
    if (failed(values))
      return population.emitError("parameter '")
             << name << "' of '@" << population.getSymName()
             << "' has no value; bind it first (--weights)";
    auto constant = dend::symbolOf<dend::ConstantOp>(
        population, cast<FlatSymbolRefAttr>(symbol));
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(constant.getType()).getShape();
    numbers[name.str()] = {
        std::move(*values), {}, {shape.begin(), shape.end()}};
  }
  return success();
}

double BodyParams::magnitude(BlockArgument parameter) {
  double most = 0;
  for (double value : numbers.at(nameOf(parameter).str()).real)
    most = std::max(most, std::fabs(value));
  return most;
}

void BodyParams::write(BlockArgument parameter, dend::FxType format) {
  std::string name = nameOf(parameter).str();
  Numbers &values = numbers.at(name);
  std::vector<int64_t> raws;
  for (double value : values.real) {
    raws.push_back(rawOf(value, format));
    values.rounded.push_back(
        std::ldexp(double(raws.back()), format.getExponent()));
  }
  NamedAttrList bound(population.getParamsAttr());
  bound.set(name, ConstantMaker(population)
                      .make((population.getSymName() + "." + name).str(),
                            values.shape, storageBits(format), raws));
  population.setParamsAttr(bound.getDictionary(population.getContext()));
}

FailureOr<Attribute> BodyParams::initial(Attribute init, StringRef state,
                                         dend::FxType format) {
  Builder builder(population.getContext());
  if (!init)
    return init;
  if (auto number = dyn_cast<FloatAttr>(init)) {
    int64_t raw = rawOf(number.getValueAsDouble(), format);
    return raw == 0 ? Attribute() : builder.getI64IntegerAttr(raw);
  }
  auto values = dend::readReals(population, init);
  if (failed(values))
    return population.emitError("the initial value of state '")
           << state << "' of '@" << population.getSymName()
           << "' cannot be read";
  std::vector<int64_t> raws;
  for (double value : *values)
    raws.push_back(rawOf(value, format));
  auto constant = dend::symbolOf<dend::ConstantOp>(
      population, cast<FlatSymbolRefAttr>(init));
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(constant.getType()).getShape();
  return Attribute(
      ConstantMaker(population)
          .make((population.getSymName() + "." + state + ".start").str(), shape,
                storageBits(format), raws));
}

LogicalResult BodyParams::checkPoles(Warnings &warnings) {
  ArrayAttr poles = dend::modelOf(population).getPolesAttr();
  if (!poles)
    return success();
  uint64_t slow = 0;
  double slowest = 0;
  for (Attribute entry : poles) {
    std::vector<const Numbers *> parts;
    std::string name;
    for (auto text : cast<ArrayAttr>(entry).getAsRange<StringAttr>()) {
      auto found = numbers.find(text.str());
      if (found == numbers.end() ||
          (!parts.empty() &&
           found->second.real.size() != parts[0]->real.size()))
        return dend::modelOf(population).emitError()
               << "attribute 'poles' names " << text
               << ", expected real parameters of one size";
      parts.push_back(&found->second);
      name = parts.size() == 1 ? text.str() : name;
    }
    if (parts.empty())
      continue;
    for (size_t k = 0; k < parts[0]->real.size(); ++k) {
      double before = 0, after = 0;
      for (const Numbers *part : parts) {
        before += part->real[k] * part->real[k];
        after += part->rounded[k] * part->rounded[k];
      }
      // An integrator without a leak is meant to keep everything.
      if (before >= 1)
        continue;
      if (after >= 1)
        return population.emitError("layer '@")
               << population.getSymName() << "': pole " << k << " of '" << name
               << "' has magnitude " << std::sqrt(before) << " and rounds to "
               << std::sqrt(after)
               << ", expected below 1: its state would grow without end; "
                  "retrain with faster decays";
      slow += after > (1 - kNearCircle) * (1 - kNearCircle);
      slowest = std::max(slowest, std::sqrt(after));
    }
  }
  if (slow)
    warnings.push_back(
        {"slow-pole", placeOfLayer(population.getSymName()),
         fmt::format("{} pole(s) above 1 - 2^-8 after rounding, up to {:.6f}: "
                     "rounding errors of such a state add up over {:.0f} steps",
                     slow, slowest, 1 / (1 - slowest))});
  return success();
}

void BodyParams::noteLosses(Warnings &warnings) {
  for (const auto &[name, values] : numbers) {
    uint64_t zeroed = 0;
    double worst = 0;
    for (size_t k = 0; k < values.rounded.size(); ++k) {
      if (values.real[k] == 0)
        continue;
      zeroed += values.rounded[k] == 0;
      worst =
          std::max(worst, std::fabs(values.rounded[k] / values.real[k] - 1));
    }
    if (zeroed && values.rounded.size() > 1)
      warnings.push_back(
          {"rounded-to-zero", placeOfLayer(population.getSymName()),
           fmt::format("parameter {}: {} of {} values round to 0 beside the "
                       "largest",
                       name, zeroed, values.rounded.size())});
    else if (values.rounded.size() == 1 && worst > kLargeError)
      warnings.push_back(
          {"rounded-parameter", placeOfLayer(population.getSymName()),
           fmt::format("parameter {}: {:.3g} % off after rounding", name,
                       100 * worst)});
  }
}

LogicalResult BodyParams::checkPositive(BlockArgument parameter,
                                        StringRef what) {
  const Numbers &values = numbers.at(nameOf(parameter).str());
  for (size_t k = 0; k < values.rounded.size(); ++k)
    if (!(values.rounded[k] > 0))
      return population.emitError("layer '@")
             << population.getSymName() << "': " << what << " '"
             << nameOf(parameter) << "' is " << values.real[k]
             << " and rounds to " << values.rounded[k]
             << " in the potential's format; expected above 0";
  return success();
}

} // namespace dendrolith
