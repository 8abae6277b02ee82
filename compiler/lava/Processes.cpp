// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Processes.h"

#include "compiler/lava/StepBody.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <limits>

namespace dendrolith::lava {

using namespace mlir;

const std::vector<NeuronClass> &neuronClasses() {
  static const std::vector<NeuronClass> classes{
      {"lava.proc.lif.process.LIF", {"cuba", "plain"}, {"a_in"}, true},
      {"lava.proc.lif.process.LIFReset", {""}, {"a_in"}, true},
      {"lava.proc.lif.process.TernaryLIF", {""}, {"a_in"}, false},
      {"lava.proc.atrlif.process.ATRLIF", {"", "checked"}, {"a_in"}, true},
      {"lava.proc.rf.process.RF", {""}, {"a_real_in", "a_imag_in"}, true},
      {"lava.proc.rf_iz.process.RF_IZ", {""}, {"a_real_in", "a_imag_in"}, true},
      {"lava.proc.sdn.process.Delta", {"", "cum_error"}, {"a_in"}, false},
      {"lava.proc.sdn.process.Sigma", {""}, {"a_in"}, false},
      {"lava.proc.sdn.process.SigmaDelta",
       {"relu", "relu cum_error", "unit", "unit cum_error"},
       {"a_in"},
       false},
      {"lava.proc.graded.process.GradedVec", {""}, {"a_in"}, false},
      {"lava.proc.graded.process.GradedReluVec", {""}, {"a_in"}, false},
      {"lava.proc.prodneuron.process.ProdNeuron",
       {""},
       {"a_in1", "a_in2"},
       false}};
  return classes;
}

const NeuronClass *findNeuronClass(StringRef lavaClass) {
  const auto &all = neuronClasses();
  auto found = std::find_if(all.begin(), all.end(), [&](const NeuronClass &c) {
    return c.lavaClass == lavaClass;
  });
  return found == all.end() ? nullptr : &*found;
}

namespace {

struct ClassNames {
  const char *lavaClass; // last part
  std::vector<std::string> parameters, states;
};

const ClassNames &namesOf(const NeuronForm &form) {
  static const ClassNames cuba{
      "LIF", {"decay_u", "decay_v", "threshold", "bias"}, {"u", "v", "r"}};
  static const std::vector<ClassNames> all{
      {"LIF", {"keep_u", "keep_v", "threshold", "bias"}, {"u", "v"}},
      {"LIFReset",
       {"keep_u", "keep_v", "threshold", "bias", "interval", "offset"},
       {"u", "v", "phase"}},
      {"TernaryLIF", {"keep_u", "keep_v", "high", "low", "bias"}, {"u", "v"}},
      {"ATRLIF",
       {"keep_i", "keep_i_low", "keep_v", "keep_theta", "keep_r", "theta_0",
        "theta_step", "bias"},
       {"i", "v", "theta", "r"}},
      {"RF",
       {"sin", "cos", "threshold", "decay_shift", "state_shift"},
       {"real", "imag"}},
      {"RF_IZ",
       {"sin", "cos", "threshold", "decay_shift", "state_shift"},
       {"real", "imag"}},
      {"Delta", {"threshold", "in_shift", "out_shift"}, {"act", "residue"}},
      {"Sigma", {}, {"sigma"}},
      {"SigmaDelta",
       {"threshold", "bias", "out_shift"},
       {"sigma", "act", "residue"}},
      {"GradedVec", {"threshold"}, {}},
      {"GradedReluVec", {"threshold"}, {}},
      {"ProdNeuron", {"threshold", "shift"}, {}}};
  if (form.variant == "cuba")
    return cuba;
  StringRef name = StringRef(form.lavaClass).rsplit('.').second;
  return *std::find_if(all.begin(), all.end(), [&](const ClassNames &names) {
    return name == names.lavaClass;
  });
}

/// Each word of ATRLIF's decay of the current (Decay.h): 12 + 26 bits, a sign.
constexpr unsigned kDecayWidth = 39;

class NeuronModel {
public:
  NeuronModel(OpBuilder &builder, const NeuronForm &form)
      : builder(builder), form(form), context(builder.getContext()) {}

  Type word(unsigned width = 32) {
    return dend::FxType::get(context, width, 0);
  }
  Type parameterType(StringRef name) {
    if (form.variant == "cuba" || name.ends_with("shift"))
      return builder.getI32Type();
    return word(name.starts_with("keep_i") ? kDecayWidth : 32);
  }
  Type stateType(StringRef name) {
    return name == "r" && form.variant == "cuba" ? builder.getI32Type()
                                                 : word();
  }
  StringAttr text(const std::string &name) {
    return builder.getStringAttr(name);
  }
  dend::SpikeType spike() {
    if (findNeuronClass(form.lavaClass)->binary)
      return dend::binarySpike(context);
    if (StringRef(form.lavaClass).ends_with(".TernaryLIF"))
      return dend::intSpike(context, -1, 1);
    using Word = std::numeric_limits<int32_t>;
    return dend::intSpike(context, Word::min(), Word::max());
  }

  OpBuilder &builder;
  const NeuronForm &form;
  MLIRContext *context;
};

/// Puts operations in the order in which the yielded values need them, so that
/// a body does not depend on the order in which a compiler evaluates arguments.
void arrange(Operation *user, Operation *yield,
             llvm::SmallPtrSetImpl<Operation *> &placed) {
  for (Value operand : user->getOperands())
    if (Operation *op = operand.getDefiningOp(); op && placed.insert(op).second)
      arrange(op, yield, placed);
  if (user != yield)
    user->moveBefore(yield);
}

} // namespace

std::vector<std::string> parameterNames(const NeuronForm &form) {
  return namesOf(form).parameters;
}

std::vector<std::string> stateNames(const NeuronForm &form) {
  std::vector<std::string> names = namesOf(form).states;
  if (StringRef(form.variant).contains("cum_error"))
    names.push_back("error");
  if (form.variant == "image")
    names.push_back("image");
  return names;
}

std::string portName(const std::string &input, size_t term) {
  return term ? input + "." + std::to_string(term) : input;
}

dend::NeuronOp buildNeuron(OpBuilder &builder, Location loc,
                           const std::string &name, const NeuronForm &form,
                           const std::set<std::string> &perNeuron,
                           const std::map<std::string, Attribute> &initial) {
  NeuronModel model(builder, form);
  const NeuronClass &neuron = *findNeuronClass(form.lavaClass);
  SmallVector<Attribute> ports, params, states, outputs;
  SmallVector<Type> types;
  for (size_t i = 0; i < form.inputs.size(); ++i)
    for (size_t term = 0; term < form.inputs[i].size(); ++term) {
      ports.push_back(dend::PortAttr::get(
          model.context, model.text(portName(neuron.inputs[i], term)), {}));
      types.push_back(model.word(form.inputs[i][term].width));
    }
  for (const std::string &param : parameterNames(form)) {
    params.push_back(dend::ParamAttr::get(model.context, model.text(param),
                                          perNeuron.count(param) != 0));
    types.push_back(model.parameterType(param));
  }
  for (const std::string &state : stateNames(form)) {
    auto init = initial.find(state);
    states.push_back(dend::StateAttr::get(
        model.context, model.text(state), model.text("sample"),
        init == initial.end() ? Attribute() : init->second));
    types.push_back(model.stateType(state));
  }
  outputs.push_back(dend::OutputAttr::get(model.context, model.text("s_out"),
                                          model.spike(), 1));
  if (form.fired)
    outputs.push_back(dend::OutputAttr::get(model.context, model.text("fired"),
                                            dend::binarySpike(model.context),
                                            1));
  auto op = dend::NeuronOp::create(
      builder, loc, builder.getStringAttr(name), builder.getArrayAttr(ports),
      builder.getArrayAttr(params), builder.getArrayAttr(states),
      builder.getArrayAttr(outputs));
  Block &block = op.getBody().emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  StepBody::Result result = StepBody(block, loc, form).write();
  SmallVector<Value> next, emitted{result.out};
  for (const std::string &state : stateNames(form))
    next.push_back(result.next.at(state));
  if (form.fired)
    emitted.push_back(result.fired);
  OpBuilder end = OpBuilder::atBlockEnd(&block);
  auto yield = dend::YieldOp::create(end, loc, next, emitted);
  llvm::SmallPtrSet<Operation *, 32> placed;
  arrange(yield, yield, placed);
  return op;
}

} // namespace dendrolith::lava
