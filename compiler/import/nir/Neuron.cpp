// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Neuron.h"
#include "dialects/dend/Dend.h"

#include "llvm/ADT/StringExtras.h"

namespace neurite::nir {

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
  return all;
}

/// The block arguments of a model by name.
struct NeuronModels::Arguments {
  std::map<std::string, Value> value;
  Value operator[](const char *name) const {
    auto it = value.find(name);
    return it == value.end() ? Value() : it->second;
  }
};

std::string NeuronModels::model(Type type, const Dynamics &dynamics,
                                Reset reset) {
  std::string form = typeName(type);
  for (const Binding &binding : bindings(dynamics))
    form += " " + binding.first + (binding.second.size() > 1 ? "*" : "");
  auto [it, isNew] = made.emplace(form, "");
  if (isNew)
    it->second =
        create(llvm::StringRef(typeName(type)).lower(), dynamics, reset);
  return it->second;
}

std::string NeuronModels::readout() {
  auto [it, isNew] = made.emplace("readout", "");
  if (isNew) {
    Dynamics dynamics;
    dynamics.potential = Compartment{{}, std::nullopt, std::nullopt};
    it->second = create("readout", dynamics, Reset::Value);
  }
  return it->second;
}

/// A potential without `keep` is a read-out, whose keep is a literal zero.
std::string NeuronModels::create(const std::string &hint,
                                 const Dynamics &dynamics, Reset reset) {
  MLIRContext *context = builder.getContext();
  std::string symbol = names.fresh(hint);
  auto text = [&](llvm::StringRef value) {
    return builder.getStringAttr(value);
  };
  mlir::Type real = builder.getF64Type();
  Location loc = NameLoc::get(text(symbol));

  SmallVector<Attribute> params, states;
  std::vector<std::string> order = {"I"};
  for (const Binding &binding : bindings(dynamics)) {
    if (binding.second.empty())
      continue;
    params.push_back(dend::ParamAttr::get(context, text(binding.first),
                                          binding.second.size() > 1));
    order.push_back(binding.first);
  }
  for (const char *name : {"i", "v"}) {
    if (!(*name == 'i' ? dynamics.current : dynamics.potential))
      continue;
    states.push_back(
        dend::StateAttr::get(context, text(name), text("sample"), Attribute()));
    order.push_back(name);
  }
  bool spikes = dynamics.threshold.has_value();
  auto output = dend::OutputAttr::get(
      context, text(spikes ? "s" : "v"),
      spikes ? dend::binarySpike(context) : dend::gradedSpike(context), 1);
  auto op = dend::NeuronOp::create(
      builder, loc, text(symbol),
      builder.getArrayAttr(
          dend::PortAttr::get(context, text("I"), FlatSymbolRefAttr())),
      builder.getArrayAttr(params), builder.getArrayAttr(states),
      builder.getArrayAttr(output));

  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&op.getBody());
  Arguments in;
  for (const std::string &name : order)
    in.value[name] = body->addArgument(real, loc);

  SmallVector<Value> next;
  Value drive = in["I"];
  auto compartment = [&](const char *state, Value keep, Value gain,
                         Value offset) {
    drive = dend::CompartmentOp::create(builder, loc, real, in[state], drive,
                                        keep, gain, offset);
    next.push_back(drive);
  };
  if (dynamics.current)
    compartment("i", in["keep_i"], in["gain_i"], in["offset_i"]);
  if (dynamics.potential) {
    Value keep = in["keep_v"];
    if (!keep)
      keep = dend::LiteralOp::create(builder, loc, real,
                                     builder.getF64FloatAttr(0.0));
    compartment("v", keep, in["gain_v"], in["offset"]);
  }
  Value emitted = drive;
  if (spikes) {
    dend::ResetKind kind = !dynamics.resets ? dend::ResetKind::None
                           : reset == Reset::Subtract
                               ? dend::ResetKind::Subtract
                               : dend::ResetKind::Value;
    auto fire = dend::FireOp::create(
        builder, loc, builder.getI1Type(), real, drive, in["theta"],
        in["v_reset"], dend::ResetKindAttr::get(context, kind), UnitAttr());
    emitted = fire.getSpike();
    if (dynamics.potential)
      next.back() = fire.getNext();
  }
  dend::YieldOp::create(builder, loc, next, ValueRange(emitted));
  return symbol;
}

} // namespace neurite::nir
