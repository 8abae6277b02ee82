// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Body.h"

#include "compiler/lava/Tensors.h"
#include "compiler/pipelines/Diagnostics.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/FixedPoint.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <fmt/format.h>

using namespace mlir;

namespace dendrolith::lava {
namespace {

class BodyWriter {
public:
  explicit BodyWriter(dend::NeuronOp model) : model(model) {}

  Neuron write() {
    out.set_name(model.getSymName().str());
    for (auto [i, arg] : llvm::enumerate(model.getPortArgs()))
      field(*out.add_ports(), model.getPort(i).getName(), arg);
    for (auto [i, arg] : llvm::enumerate(model.getParamArgs()))
      field(*out.add_parameters(), model.getParam(i).getName(), arg)
          .set_per_neuron(model.getParam(i).getPerNeuron());
    for (auto [i, arg] : llvm::enumerate(model.getStateArgs()))
      state(model.getState(i), arg);
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    block(model.getBlock(), *out.mutable_body());
    for (mlir::Value next : yield.getStates())
      out.add_next(numbers.lookup(next));
    for (auto [i, value] : llvm::enumerate(yield.getEmitted()))
      output(model.getOutput(i), value);
    return std::move(out);
  }

private:
  using Operations = google::protobuf::RepeatedPtrField<Operation>;

  [[noreturn]] void refuse(Location at, const Twine &why) {
    std::string place = placeOf(at);
    throw Error(fmt::format("{}{}neuron model '@{}': {}", place,
                            place.empty() ? "" : ": ", model.getSymName().str(),
                            why.str()));
  }

  void setType(Type &to, mlir::Value value) {
    mlir::Type type = value.getType(), element = dend::elementType(type);
    auto fixed = dend::fixedType(type);
    if (fixed && fixed.getWidth() == 1)
      refuse(value.getLoc(), "'!dend.fx<1, e>' has no place in a Lava export");
    if (!fixed && !element.isInteger(1) && !element.isInteger(32))
      refuse(value.getLoc(), "a value is no integer; quantise the network");
    to.set_bits(fixed ? fixed.getWidth() : element.isInteger(1) ? 1 : 32);
    to.set_exponent(fixed ? fixed.getExponent() : 0);
    to.mutable_dims()->Assign(dend::shapeOf(type).begin(),
                              dend::shapeOf(type).end());
  }

  Field &field(Field &to, StringAttr name, mlir::Value value) {
    to.set_name(name.str());
    setType(*to.mutable_type(), value);
    define(value);
    return to;
  }

  void state(dend::StateAttr attr, mlir::Value value) {
    Field &to = field(*out.add_states(), attr.getName(), value);
    auto reset = dyn_cast<StringAttr>(attr.getReset());
    if (!reset)
      refuse(model.getLoc(), "its state '" + attr.getName().getValue() +
                                 "' is reset by a clock, which a Lava process "
                                 "has not");
    to.set_reset(reset.str());
  }

  void output(dend::OutputAttr attr, mlir::Value value) {
    Field &to = *out.add_outputs();
    to.set_name(attr.getName().str());
    setType(*to.mutable_type(), value);
    dend::SpikeType spike = attr.getType();
    uint32_t bits = to.type().bits();
    uint32_t emitted = numbers.lookup(value);
    bool inside = bits == 1 || (dend::lowest(bits) >= spike.getLow() &&
                                dend::highest(bits) <= spike.getHigh());
    if (!inside)
      emitted = clamp(to.type(), emitted, spike.getLow(), spike.getHigh());
    out.add_emits(emitted);
  }

  /// Operations for min(max(x, low), high).
  uint32_t clamp(const Type &type, uint32_t value, int64_t low, int64_t high) {
    uint32_t ends[2];
    for (int end : {0, 1}) {
      Operation &literal = *out.add_body();
      literal.set_name("literal");
      literal.add_results()->set_bits(type.bits());
      literal.mutable_results(0)->set_exponent(type.exponent());
      (*literal.mutable_attributes())["value"].set_integer(
          std::clamp(end ? high : low, dend::lowest(type.bits()),
                     dend::highest(type.bits())));
      ends[end] = count++;
    }
    Operation &clamp = *out.add_body();
    clamp.set_name("clamp");
    for (uint32_t operand : {value, ends[0], ends[1]})
      clamp.add_operands(operand);
    *clamp.add_results() = type;
    return count++;
  }

  void define(mlir::Value value) { numbers[value] = count++; }

  void block(Block &from, Operations &to) {
    for (mlir::Operation &op : from.without_terminator())
      operation(op, *to.Add());
  }

  /// Results of a region are numbered before those of its operation.
  void operation(mlir::Operation &op, Operation &to) {
    if (!cast<dend::BodyOpInterface>(op).hasIntegerForm())
      refuse(op.getLoc(), "'" + op.getName().getStringRef() +
                              "' has no integer meaning in a Lava export");
    to.set_name(op.getName().stripDialect().str());
    for (mlir::Value operand : op.getOperands())
      to.add_operands(numbers.lookup(operand));
    if (auto when = dyn_cast<dend::WhenOp>(op)) {
      Block &body = when.getBody().front();
      block(body, *to.mutable_region());
      for (mlir::Value given : body.getTerminator()->getOperands())
        to.add_gives(numbers.lookup(given));
    }
    for (mlir::Value result : op.getResults()) {
      setType(*to.add_results(), result);
      define(result);
    }
    for (NamedAttribute attr : op.getAttrDictionary())
      attribute((*to.mutable_attributes())[attr.getName().str()],
                attr.getValue(), op);
  }

  void attribute(Value &to, Attribute attr, mlir::Operation &op) {
    llvm::TypeSwitch<Attribute>(attr)
        .Case([&](IntegerAttr number) {
          APInt bits = number.getValue();
          to.set_integer(bits.getBitWidth() == 1 ? bits.getBoolValue()
                                                 : bits.getSExtValue());
        })
        .Case([&](FloatAttr number) { to.set_real(number.getValueAsDouble()); })
        .Case([&](ElementsAttr elements) {
          auto values = dend::readInts(elements);
          if (failed(values))
            refuse(op.getLoc(), "a constant of its body cannot be read");
          auto shape = elements.getShapedType().getShape();
          *to.mutable_tensor() =
              denseTensor(Dims(shape.begin(), shape.end()), *values);
        })
        .Case([&](dend::RoundingAttr a) { name(to, a); })
        .Case([&](dend::OverflowAttr a) { name(to, a); })
        .Case([&](dend::PredicateAttr a) { name(to, a); })
        .Case([&](dend::ReductionAttr a) { name(to, a); })
        .Default([&](Attribute) {
          refuse(op.getLoc(), "'" + op.getName().getStringRef() +
                                  "' has an attribute that a Lava export "
                                  "cannot carry");
        });
  }
  template <typename A> void name(Value &to, A attr) {
    to.set_text(stringifyEnum(attr.getValue()).str());
  }

  dend::NeuronOp model;
  Neuron out;
  llvm::DenseMap<mlir::Value, uint32_t> numbers;
  uint32_t count = 0;
};

} // namespace

Neuron writeBody(dend::NeuronOp model) { return BodyWriter(model).write(); }

std::string firstOperation(dend::NeuronOp model) {
  for (mlir::Operation &op : model.getBlock().without_terminator())
    if (!isa<dend::LiteralOp>(op)) {
      std::string place = placeOf(op.getLoc());
      return "'" + op.getName().getStringRef().str() + "'" +
             (place.empty() ? "" : " at " + place);
    }
  return "a step without state";
}

} // namespace dendrolith::lava
