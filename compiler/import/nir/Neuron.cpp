// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Neuron.h"
#include "compiler/import/nir/StepBody.h"
#include "dialects/dend/Dend.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace dendrolith::nir {

using namespace mlir;

std::vector<Binding> bindings(const Dynamics &dynamics) {
  std::vector<Binding> all;
  auto add = [&](const std::optional<Compartment> &part, const char *keep,
                 const char *gain, const char *offset) {
    if (!part)
      return;
    all.emplace_back(keep, part->keep);
    if (part->gain)
      all.emplace_back(gain, *part->gain);
    if (part->offset)
      all.emplace_back(offset, *part->offset);
  };
  add(dynamics.current, "keep_i", "gain_i", "offset_i");
  add(dynamics.potential, "keep_v", "gain_v", "offset");
  if (dynamics.threshold)
    all.emplace_back("theta", *dynamics.threshold);
  if (dynamics.resetTo)
    all.emplace_back("v_reset", *dynamics.resetTo);
  if (dynamics.least)
    all.emplace_back("v_min", *dynamics.least);
  for (const auto &[tick, bias] : dynamics.late)
    all.emplace_back("bias_from_" + std::to_string(tick), bias);
  return all;
}

std::string NeuronModels::model(Type type, const Dynamics &dynamics,
                                const NirOptions &options,
                                const Starts &starts) {
  std::string form = typeName(type);
  for (const Binding &binding : bindings(dynamics))
    form += " " + binding.first + (binding.second.size() > 1 ? "*" : "");
  form += fmt::format(" {}{} {}{}{}{}", int(dynamics.resetWhen),
                      int(dynamics.early), int(options.reset),
                      int(options.inclusive), int(options.manySpikes),
                      int(options.oldCurrent));
  for (const auto &[state, start] : starts)
    llvm::raw_string_ostream(form) << " " << state << " " << start;
  auto [it, isNew] = made.emplace(form, "");
  if (isNew)
    it->second = create(llvm::StringRef(typeName(type)).lower(), dynamics,
                        options, starts);
  return it->second;
}

std::string NeuronModels::readout(const Dynamics &dynamics) {
  std::string form = "readout";
  for (const Binding &binding : bindings(dynamics))
    form += " " + binding.first + (binding.second.size() > 1 ? "*" : "");
  auto [it, isNew] = made.emplace(form, "");
  if (isNew)
    it->second = create("readout", dynamics, NirOptions(), {});
  return it->second;
}

std::string NeuronModels::create(const std::string &hint,
                                 const Dynamics &dynamics,
                                 const NirOptions &options,
                                 const Starts &starts) {
  MLIRContext *context = builder.getContext();
  std::string symbol = names.fresh(hint);
  auto text = [&](llvm::StringRef value) {
    return builder.getStringAttr(value);
  };
  mlir::Type real = builder.getF64Type(), bit = builder.getI1Type();
  Location loc = NameLoc::get(text(symbol));
  std::vector<StateForm> states = statesOf(dynamics, options);
  bool spikes = dynamics.threshold.has_value();
  bool many = dynamics.resets && options.manySpikes;

  SmallVector<Attribute> params, stateAttrs;
  std::vector<StateForm> arguments = {{"I", false}};
  for (const Binding &binding : bindings(dynamics)) {
    if (binding.second.empty())
      continue;
    params.push_back(dend::ParamAttr::get(context, text(binding.first),
                                          binding.second.size() > 1));
    arguments.push_back({binding.first, false});
  }
  for (const StateForm &state : states) {
    auto start = starts.find(state.name);
    stateAttrs.push_back(dend::StateAttr::get(
        context, text(state.name), text("sample"),
        start == starts.end() ? Attribute() : start->second));
    arguments.push_back(state);
  }
  dend::SpikeType sent =
      spikes && !many ? dend::binarySpike(context) : dend::gradedSpike(context);
  SmallVector<Attribute> outputs = {
      dend::OutputAttr::get(context, text(spikes ? "s" : "v"), sent, 1)};
  if (dynamics.early)
    outputs.push_back(dend::OutputAttr::get(context, text("early"), sent, 1));
  auto op = dend::NeuronOp::create(
      builder, loc, text(symbol),
      builder.getArrayAttr(
          dend::PortAttr::get(context, text("I"), FlatSymbolRefAttr())),
      builder.getArrayAttr(params), builder.getArrayAttr(stateAttrs),
      builder.getArrayAttr(outputs));

  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&op.getBody());
  std::map<std::string, Value> in;
  for (const StateForm &argument : arguments)
    in[argument.name] = body->addArgument(argument.isBit ? bit : real, loc);
  StepBody(builder, loc, options, dynamics, std::move(in)).build(states);
  return symbol;
}

} // namespace dendrolith::nir
