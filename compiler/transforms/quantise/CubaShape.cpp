// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/CubaShape.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "targets/support/FixedNeuron.h"

#include "compiler/transforms/quantise/Messages.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

/// Options stand here as the command names them; each door puts its own words
/// in their place.
constexpr const char *kSubtracts =
    "it resets by subtraction; the chip resets to a value. Choose a target "
    "with "
    "programmable neurons, such as loihi2, which runs it as it is, or train it "
    "with a reset to a value and give --import reset=value";
/// The same where a step subtracts, which may be the reset or not.
constexpr const char *kTakesOff =
    "its step subtracts, and the chip's does not. Choose a target with "
    "programmable neurons, such as loihi2, which runs it as it is, or, where "
    "that is a reset by subtraction, train it with a reset to a value and give "
    "--import reset=value";
constexpr const char *kNoProgram =
    "its step computes more than leaks, a threshold and a reset to a value; a "
    "target with programmable neurons is needed";

LogicalResult refuse(dend::PopulationOp population, Operation *at,
                     const Twine &why) {
  InFlightDiagnostic diag = population.emitError()
                            << "population '" << population.getSymName()
                            << "' does not fit a fixed-function current-based "
                               "neuron: "
                            << why;
  if (at)
    diag.attachNote(at->getLoc()) << "here";
  return failure();
}

/// Whether a step takes something off: by a subtraction, or as the choice of a
/// number below 0, which raised steps have in its place.
bool takesOff(dend::NeuronOp model) {
  const auto isBelowZero = [](Value value) {
    auto literal = value.getDefiningOp<dend::LiteralOp>();
    auto number =
        literal ? dyn_cast<FloatAttr>(literal.getValue()) : FloatAttr();
    return number && number.getValueAsDouble() < 0;
  };
  return llvm::any_of(model.getBlock(), [&](Operation &op) {
    return isa<dend::SubOp>(op) ||
           (isa<dend::SelectOp>(op) &&
            llvm::any_of(op.getOperands(), isBelowZero));
  });
}

/// The index of the state whose old value is `value`, -1 if there is none.
int stateOf(dend::NeuronOp model, Value value) {
  for (auto [i, arg] : llvm::enumerate(model.getStateArgs()))
    if (arg == value)
      return static_cast<int>(i);
  return -1;
}

std::optional<double> literalOf(Value value) {
  auto literal = value ? value.getDefiningOp<dend::LiteralOp>() : nullptr;
  auto number = literal ? dyn_cast<FloatAttr>(literal.getValue()) : FloatAttr();
  if (!number)
    return std::nullopt;
  return number.getValueAsDouble();
}

/// The other operand of a commutative op where one is the literal.
Value besideLiteral(Operation *op, double literal) {
  for (unsigned i : {0, 1})
    if (literalOf(op->getOperand(i)) == literal)
      return op->getOperand(1 - i);
  return Value();
}

/// A count of silent steps, in which the potential is held where a spike sets
/// it:
///   held = r > 0 ? to : v';  fire held;  r' = spike ? steps : max(r - 1, 0)
struct SilentSteps {
  int state = -1;
  double steps = 0;
  Value potential; // what is held
  SmallVector<Operation *> ops;
};

std::optional<SilentSteps> silentStepsOf(dend::NeuronOp model,
                                         dend::FireOp fire) {
  SilentSteps silent;
  auto held = fire.getPotential().getDefiningOp<dend::SelectOp>();
  auto on = held ? held.getCondition().getDefiningOp<dend::CmpOp>() : nullptr;
  if (!on || fire.getReset() != dend::ResetKind::Value)
    return std::nullopt;
  Value count = on.getLhs();
  silent.state = stateOf(model, count);
  if (silent.state < 0 || literalOf(on.getRhs()) != 0.0 ||
      on.getPredicate() != dend::Predicate::GT)
    return std::nullopt;
  // Where it is held is where it is reset to.
  const bool same =
      fire.getTo() ? held.getYes() == fire.getTo() ||
                         (literalOf(fire.getTo()) &&
                          literalOf(held.getYes()) == literalOf(fire.getTo()))
                   : literalOf(held.getYes()) == 0.0;
  Attribute start = model.getState(silent.state).getInit();
  auto number = dyn_cast_or_null<FloatAttr>(start);
  if (!same || (start && !(number && number.getValueAsDouble() == 0)))
    return std::nullopt;
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto next = yield.getStates()[silent.state].getDefiningOp<dend::SelectOp>();
  auto steps = next ? literalOf(next.getYes()) : std::nullopt;
  if (!steps || next.getCondition() != fire.getSpike())
    return std::nullopt;
  silent.steps = *steps;
  silent.ops = {held, on, next};
  // A count below 0 holds nothing, as 0 does.
  Value left = next.getNo();
  if (auto most = left.getDefiningOp<dend::MaxOp>()) {
    silent.ops.push_back(most);
    left = besideLiteral(most, 0);
  }
  Operation *less = left ? left.getDefiningOp() : nullptr;
  if (auto sub = dyn_cast_or_null<dend::SubOp>(less)) {
    if (sub.getLhs() != count || literalOf(sub.getRhs()) != 1.0)
      return std::nullopt;
  } else if (!isa_and_nonnull<dend::AddOp>(less) ||
             besideLiteral(less, -1) != count) {
    return std::nullopt;
  }
  silent.ops.push_back(less);
  silent.potential = held.getNo();
  return silent;
}

/// The values of a parameter or literal for each neuron.
FailureOr<std::vector<double>> perNeuron(Value value, double otherwise,
                                         dend::NeuronOp model,
                                         dend::PopulationOp population) {
  uint64_t n = population.getSize();
  if (!value)
    return std::vector<double>(n, otherwise);
  if (auto literal = value.getDefiningOp<dend::LiteralOp>())
    if (auto number = dyn_cast<FloatAttr>(literal.getValue()))
      return std::vector<double>(n, number.getValueAsDouble());
  for (auto [i, arg] : llvm::enumerate(model.getParamArgs())) {
    if (arg != value)
      continue;
    StringRef name = model.getParam(i).getName().getValue();
    DictionaryAttr params = population.getParamsAttr();
    auto symbol =
        params ? params.getAs<FlatSymbolRefAttr>(name) : FlatSymbolRefAttr();
    auto constant = dend::symbolOf<dend::ConstantOp>(population, symbol);
    if (!constant || !constant.getValueAttr())
      return refuse(population, constant,
                    "parameter '" + name + "' has no value; bind it first");
    auto values = dend::readReals(constant.getValueAttr());
    if (failed(values))
      return refuse(population, constant,
                    "parameter '" + name +
                        "' is not a readable tensor of "
                        "real numbers");
    if (values->size() == 1)
      return std::vector<double>(n, values->front());
    if (values->size() != n)
      return refuse(population, constant,
                    "parameter '" + name + "' has " + Twine(values->size()) +
                        " values for " + Twine(n) + " neurons");
    return *values;
  }
  return refuse(population, value.getDefiningOp(),
                "a coefficient is computed in the step body");
}

} // namespace

FailureOr<CubaShape> matchCuba(dend::NeuronOp model,
                               dend::PopulationOp population) {
  CubaShape shape;
  if (model.getPortArgs().size() != 1 ||
      !isa<FloatType>(model.getPortArgs()[0].getType()))
    return refuse(population, model,
                  "its model must have one real scalar port");
  if (model.getPort(0).getHold())
    return refuse(population, model, "its port is held");
  for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
    dend::StateAttr state = model.getState(i);
    auto reset = dyn_cast<StringAttr>(state.getReset());
    if (!reset || reset != "sample")
      return refuse(population, model,
                    "state '" + state.getName().getValue() +
                        "' does not live from the first to the last step of a "
                        "sample; a target with programmable neurons is needed");
    if (isa<ShapedType>(model.getStateArgs()[i].getType()))
      return refuse(population, model,
                    "state '" + state.getName().getValue() +
                        "' is a vector: " + kNoProgram);
  }
  Value port = model.getPortArgs()[0];
  SmallVector<dend::CompartmentOp> compartments;
  std::optional<SilentSteps> silent;
  for (Operation &op : model.getBlock())
    if (auto fire = dyn_cast<dend::FireOp>(op))
      silent = silentStepsOf(model, fire);
  if (silent && silent->steps >= 1 &&
      silent->steps < double(kCubaMostRefractory) &&
      silent->steps == std::floor(silent->steps)) {
    shape.silentState = silent->state;
    shape.refractory = int64_t(silent->steps) + 1;
  } else {
    silent.reset();
  }
  for (Operation &op : model.getBlock()) {
    if (silent && llvm::is_contained(silent->ops, &op))
      continue;
    if (auto compartment = dyn_cast<dend::CompartmentOp>(op))
      compartments.push_back(compartment);
    else if (auto fire = dyn_cast<dend::FireOp>(op); fire && !shape.fire)
      shape.fire = fire;
    else if (!isa<dend::LiteralOp, dend::YieldOp>(op))
      return refuse(population, &op, takesOff(model) ? kTakesOff : kNoProgram);
  }
  if (compartments.size() > 2)
    return refuse(population, compartments.back(),
                  "it has " + Twine(compartments.size()) +
                      " compartments, at most 2 fit");
  for (dend::CompartmentOp compartment : compartments) {
    if (compartment.getDrive() == port && compartments.size() == 2 &&
        !shape.synapse)
      shape.synapse = compartment;
    else
      shape.membrane = compartment;
  }
  if (shape.membrane) {
    Value expected = shape.synapse ? shape.synapse.getResult() : port;
    if (shape.membrane.getDrive() != expected)
      return refuse(population, shape.membrane,
                    "its compartments do not form a chain from the port");
    shape.membraneState = stateOf(model, shape.membrane.getState());
  }
  if (shape.synapse) {
    shape.synapseState = stateOf(model, shape.synapse.getState());
    if (shape.synapse.getOffset())
      return refuse(population, shape.synapse,
                    "its synaptic compartment has an offset");
  }
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  Value next = shape.fire       ? shape.fire.getNext()
               : shape.membrane ? shape.membrane.getResult()
                                : Value();
  Value potential = shape.membrane ? shape.membrane.getResult() : port;
  if (shape.fire &&
      (silent ? silent->potential : shape.fire.getPotential()) != potential)
    return refuse(population, shape.fire,
                  "the threshold does not read the "
                  "membrane");
  if (shape.fire && shape.fire.getReset() == dend::ResetKind::Subtract)
    return refuse(population, shape.fire, kSubtracts);
  for (auto [i, value] : llvm::enumerate(yield.getStates())) {
    bool synapse = static_cast<int>(i) == shape.synapseState &&
                   value == shape.synapse.getResult();
    bool membrane = static_cast<int>(i) == shape.membraneState && value == next;
    if (!synapse && !membrane && static_cast<int>(i) != shape.silentState)
      return refuse(population, yield,
                    "state '" + model.getState(i).getName().getValue() +
                        "' is neither the synaptic current nor the membrane");
  }
  if ((shape.synapse && shape.synapseState < 0) ||
      (shape.membrane && shape.membraneState < 0))
    return refuse(population, model,
                  "a compartment's old value is not a state");
  if (!shape.fire && !shape.membrane)
    return refuse(population, model,
                  "it has neither a membrane nor a threshold (a linear one "
                  "that feeds others goes with --rewrite fold-readout)");
  for (Value emitted : yield.getEmitted())
    if (!(shape.fire && emitted == shape.fire.getSpike()) &&
        !(!shape.fire && emitted == potential))
      return refuse(population, yield,
                    "it emits something other than its spike");
  return shape;
}

FailureOr<CubaReals> readCubaReals(const CubaShape &shape, dend::NeuronOp model,
                                   dend::PopulationOp population) {
  CubaReals reals;
  bool ok = true;
  auto read = [&](Value value, double otherwise, std::vector<double> &into) {
    auto values = perNeuron(value, otherwise, model, population);
    if (failed(values))
      ok = false;
    else
      into = std::move(*values);
  };
  dend::CompartmentOp synapse = shape.synapse, membrane = shape.membrane;
  dend::FireOp fire = shape.fire;
  read(synapse ? synapse.getKeep() : Value(), 0, reals.keepI);
  read(synapse ? synapse.getGain() : Value(), 1, reals.gainI);
  read(membrane ? membrane.getKeep() : Value(), 0, reals.keepV);
  read(membrane ? membrane.getGain() : Value(), 1, reals.gainV);
  read(membrane ? membrane.getOffset() : Value(), 0, reals.offset);
  read(fire ? fire.getThreshold() : Value(), 0, reals.theta);
  read(fire && fire.getReset() == dend::ResetKind::Value ? fire.getTo()
                                                         : Value(),
       0, reals.resetTo);
  if (!ok)
    return failure();
  auto check = [&](const std::vector<double> &keep, Operation *at,
                   StringRef what) {
    for (auto [n, k] : llvm::enumerate(keep))
      if (!(k >= 0 && k <= 1)) {
        ok = false;
        (void)refuse(
            population, at,
            "neuron " + Twine(n) + " keeps " + std::to_string(k) + " of its " +
                what +
                " per tick, outside [0, 1]; choose a smaller --import dt");
        return;
      }
  };
  check(reals.keepI, synapse, "current");
  check(reals.keepV, membrane, "potential");
  if (!ok)
    return failure();
  return reals;
}

static bool isInteger(dend::NeuronOp model) {
  auto isReal = [](Type type) {
    return dend::isReal(type) || dend::isComplex(type);
  };
  WalkResult walked = model.getBlock().walk([&](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isReal) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return !walked.wasInterrupted() &&
         llvm::none_of(model.getBlock().getArgumentTypes(), isReal);
}

ModelKind kindOf(dend::PopulationOp population, std::string *reason) {
  dend::NeuronOp model = dend::modelOf(population);
  if (isInteger(model))
    return ModelKind::Integer;
  std::string said;
  ScopedDiagnosticHandler handler(population.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (said.empty())
                                      said = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(matchCuba(model, population))) {
    if (!sendsReals(population))
      return ModelKind::Cuba;
    said = "population '@" + population.getSymName().str() +
           "' sends real values to other neurons; a target with programmable "
           "neurons is needed";
  }
  if (reason)
    *reason = said;
  return ModelKind::Body;
}

} // namespace dendrolith
