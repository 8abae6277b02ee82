// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/QuantiseBody.h"

#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/BodyParams.h"
#include "compiler/transforms/quantise/BodyRewriter.h"
#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "compiler/transforms/quantise/Messages.h"
#include "compiler/transforms/quantise/QuantisePort.h"

#include "dialects/dend/NumberAttrs.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "fmt/format.h"

#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

class BodyQuantiser {
public:
  BodyQuantiser(dend::PopulationOp population, const Target &chip,
                const WeightChoices &choices,
                SmallVectorImpl<report::QuantRowAttr> &report)
      : population(population), model(dend::modelOf(population)), chip(chip),
        choices(choices), report(report), params(population) {}

  LogicalResult run() {
    if (failed(checkOwn()) || failed(checkUnmixed()) || failed(checkRanges()) ||
        failed(probeRealOutputs()) || failed(params.read()) ||
        failed(checkFinite()))
      return failure();
    countUnseen();
    ValueFormats formats(
        model, [&](Value value) { return magnitude(value); },
        unsigned(stateBitsOf(population).value_or(chip.formats.stateBits)));
    if (failed(setPorts()) || failed(setParams(formats)) ||
        failed(setStates(formats)) ||
        failed(BodyRewriter(formats).rewrite(model)))
      return failure();
    Warnings warnings;
    if (failed(params.checkPoles(warnings)))
      return failure();
    params.noteLosses(warnings);
    if (unseen)
      warnings.push_back(
          {"unseen-values", placeOfLayer(layer()),
           fmt::format("{} value(s) of skipped regions never occurred in "
                       "calibration: their formats have no room",
                       unseen)});
    model.removePolesAttr();
    model.removeNotCubaAttr();
    addRow();
    keepDecisive(population, decisive);
    for (const Warning &warning : warnings)
      warn(population->getParentOfType<dend::NetworkOp>(), warning);
    model.getBlock().walk([](Operation *op) { clearCalibration(op); });
    // Folds what only reals need, such as sums that start from zero.
    (void)applyPatternsGreedily(model, FrozenRewritePatternSet());
    return success();
  }

private:
  StringRef layer() { return population.getSymName(); }

  /// Ranges are those of one population.
  LogicalResult checkOwn() {
    auto network = population->getParentOfType<dend::NetworkOp>();
    for (auto other : network.getOps<dend::PopulationOp>())
      if (other != population && other.getModel() == model.getSymName())
        return population.emitError("'@")
               << layer() << "' and '@" << other.getSymName()
               << "' share the model '@" << model.getSymName()
               << "'; run --dend-prepare first";
    return success();
  }

  /// Formats are chosen for a whole body.
  LogicalResult checkUnmixed() {
    Operation *real = nullptr;
    bool fixed = llvm::any_of(model.getBlock().getArgumentTypes(),
                              [](Type type) { return dend::fixedType(type); });
    model.getBlock().walk([&](Operation *op) {
      for (Type type : op->getResultTypes()) {
        fixed |= bool(dend::fixedType(type));
        if (!real && dend::isReal(type))
          real = op;
      }
    });
    if (!fixed)
      return success();
    return (real ? real : model.getOperation())->emitError()
           << "neuron model '@" << model.getSymName()
           << "' computes in fixed point and in real values; expected one of "
              "them throughout";
  }

  /// A real output that the host reads becomes a state: a chip sends integers,
  /// and the host reads states in their own units.
  LogicalResult probeRealOutputs() {
    auto network = population->getParentOfType<dend::NetworkOp>();
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    SmallVector<Attribute> outputs,
        states(model.getStates().begin(), model.getStates().end());
    SmallVector<Value> emitted, next(yield.getStates());
    for (auto [i, value] : llvm::enumerate(yield.getEmitted())) {
      dend::OutputAttr output = model.getOutput(unsigned(i));
      if (!dend::isReal(value.getType())) {
        outputs.push_back(output);
        emitted.push_back(value);
        continue;
      }
      if (messageFormat(model, output.getName())) {
        outputs.push_back(output);
        emitted.push_back(value);
        if (!isShown(output))
          continue;
      }
      StringAttr name = output.getName();
      MLIRContext *context = model.getContext();
      auto taken = [&](Attribute state) {
        return cast<dend::StateAttr>(state).getName() == name;
      };
      while (llvm::any_of(states, taken))
        name = StringAttr::get(context, name.getValue() + "_");
      for (auto shown : network.getOps<dend::OutputOp>())
        if (!shown.getProbe() && shown.getPopulation() == layer() &&
            shown.getFrom() == output.getName()) {
          shown.setProbe(true);
          shown.setFrom(name);
        }
      if (const double units =
              dend::unitsOf(population, dend::kOutputUnits, output.getName());
          units != 1)
        dend::multiplyUnits(population, dend::kStateUnits, name, units);
      states.push_back(dend::StateAttr::get(
          context, name, StringAttr::get(context, "sample"), {}));
      next.push_back(value);
      model.getBlock().addArgument(value.getType(), value.getLoc());
    }
    Builder builder(model.getContext());
    model.setOutputsAttr(builder.getArrayAttr(outputs));
    model.setStatesAttr(builder.getArrayAttr(states));
    yield.getStatesMutable().assign(next);
    yield.getEmittedMutable().assign(emitted);
    return success();
  }

  /// Whether the host reads it.
  bool isShown(dend::OutputAttr output) {
    auto network = population->getParentOfType<dend::NetworkOp>();
    return llvm::any_of(
        network.getOps<dend::OutputOp>(), [&](dend::OutputOp shown) {
          return !shown.getProbe() && shown.getPopulation() == layer() &&
                 shown.getFrom() == output.getName();
        });
  }

  std::string nameOf(BlockArgument argument) {
    unsigned i = argument.getArgNumber();
    unsigned ports = unsigned(model.getPortArgs().size()),
             fixed = ports + unsigned(model.getParamArgs().size());
    return (i < ports   ? model.getPort(i).getName()
            : i < fixed ? model.getParam(i - ports).getName()
                        : model.getState(i - fixed).getName())
        .str();
  }

  bool isParam(BlockArgument argument) {
    unsigned ports = unsigned(model.getPortArgs().size());
    return argument.getArgNumber() >= ports &&
           argument.getArgNumber() - ports < model.getParamArgs().size();
  }

  LogicalResult checkRanges() {
    for (BlockArgument argument : model.getBlock().getArguments())
      if (getCalibration(population, nameOf(argument)))
        return success();
    return population.emitError("the values of '@")
           << layer() << "' ('@" << model.getSymName()
           << "') have no known ranges; give samples of the input with "
              "--calibrate";
  }

  /// Values that had a chance to be seen, but for their region.
  void countUnseen() {
    model.getBlock().walk([&](dend::WhenOp when) {
      for (Operation &op : when.getBody().front())
        for (OpResult result : op.getResults())
          unseen += dend::isReal(result.getType()) &&
                    !isa<dend::LiteralOp>(op) && !getCalibration(result);
    });
  }

  LogicalResult checkFinite() {
    WalkResult walked = model.getBlock().walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (!std::isfinite(magnitude(result))) {
          op->emitOpError() << "is infinite or no number on the calibration "
                               "samples in '@"
                            << layer() << "'; bound its operands";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  double magnitude(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && isParam(argument))
      return params.magnitude(argument);
    if (auto literal = value.getDefiningOp<dend::LiteralOp>())
      return magnitudeOf(literal);
    double seen = seenMagnitude(population, value);
    // A bit that was never set in calibration may be later.
    return value.getDefiningOp<dend::ToRealOp>() ? std::max(seen, 1.0) : seen;
  }

  void setType(BlockArgument argument, dend::FxType format) {
    argument.setType(dend::withElementType(argument.getType(), format));
  }

  LogicalResult setPorts() {
    for (BlockArgument port : model.getPortArgs()) {
      if (!dend::isReal(port.getType()))
        continue;
      auto format =
          quantisePort(population, nameOf(port), chip.formats, choices, report);
      if (failed(format))
        return failure();
      setType(port, *format);
      detail += fmt::format(
          "port {}: {} bits of 2^{}{}; ", nameOf(port), format->getWidth(),
          format->getExponent(),
          divided(dend::unitsOf(population, dend::kPortUnits, nameOf(port))));
    }
    return success();
  }

  LogicalResult setParams(const ValueFormats &formats) {
    for (BlockArgument param : model.getParamArgs()) {
      if (!dend::isReal(param.getType()))
        continue;
      dend::FxType format = formats.onlyUse(param);
      if (!format)
        format = formatFor(model.getContext(), params.magnitude(param),
                           kCoefficientBits, 0);
      setType(param, format);
      params.write(param, format);
      for (Operation *user : param.getUsers())
        if (auto ssf = dyn_cast<dend::SsfOp>(user))
          if (ssf.getScale() == param &&
              failed(params.checkPositive(param, "the SSF scale")))
            return failure();
    }
    return success();
  }

  LogicalResult setStates(const ValueFormats &formats) {
    SmallVector<Attribute> states;
    for (auto [i, state] : llvm::enumerate(model.getStateArgs())) {
      dend::StateAttr attr = model.getState(unsigned(i));
      if (dend::isReal(state.getType())) {
        dend::FxType format = formats.of(state);
        auto init = params.initial(attr.getInit(), attr.getName(), format);
        if (failed(init))
          return failure();
        attr = dend::StateAttr::get(model.getContext(), attr.getName(),
                                    attr.getReset(), *init);
        const double units =
            dend::unitsOf(population, dend::kStateUnits, nameOf(state));
        detail += fmt::format("{}{} 2^{}{} ({:.3g})",
                              states.empty() ? heading(format) : ", ",
                              nameOf(state), format.getExponent(),
                              divided(units), seen(state) / units);
        // Other values of its format may need more.
        if (formatFor(model.getContext(), seen(state), format.getWidth(),
                      ValueFormats::kHeadroom) == format)
          decisive.push_back(
              {attr.getName(), std::ldexp(seen(state), -format.getExponent())});
        setType(state, format);
      }
      states.push_back(attr);
    }
    model.setStatesAttr(ArrayAttr::get(model.getContext(), states));
    return success();
  }

  /// Behind the unit of an integer: a unit of the model's file is so many.
  static std::string divided(double units) {
    return std::fabs(units - 1) < 1e-9 ? std::string()
                                       : fmt::format(" / {:.4g}", units);
  }

  static std::string heading(dend::FxType format) {
    return fmt::format("states of {} bits, unit (largest seen): ",
                       format.getWidth());
  }

  /// Largest magnitude of a state; one that was an output until now is known by
  /// what was emitted.
  double seen(BlockArgument state) {
    double old = magnitude(state);
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    unsigned first = model.getStateArgs().front().getArgNumber();
    Value next = yield.getStates()[state.getArgNumber() - first];
    return std::max(old, magnitude(next));
  }

  void addRow() {
    report::QuantRowAttr::Fields row;
    row.layer = layer();
    row.detail = detail;
    report.push_back(report::QuantRowAttr::of(model.getContext(), row));
  }

  dend::PopulationOp population;
  dend::NeuronOp model;
  const Target &chip;
  const WeightChoices &choices;
  SmallVectorImpl<report::QuantRowAttr> &report;
  BodyParams params;
  std::string detail;
  SmallVector<std::pair<StringRef, double>> decisive; // states, in integers
  uint64_t unseen = 0; // values of regions that calibration never ran
};

} // namespace

LogicalResult quantiseBody(dend::PopulationOp population, const Target &chip,
                           const WeightChoices &choices,
                           SmallVectorImpl<report::QuantRowAttr> &report) {
  return BodyQuantiser(population, chip, choices, report).run();
}

} // namespace dendrolith
