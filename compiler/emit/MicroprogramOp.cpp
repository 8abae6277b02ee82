// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/emit/MicroprogramOp.h"

#include "dialects/dend/Constants.h"

#include "runtime/microcode/Isa.h"

using namespace mlir;

namespace neurite {
namespace {

using Emission = image::Microprogram::Emission;

constexpr const char *kKinds[] = {"binary", "graded", "unary", "split"};

/// Dictionaries of one row each, keyed like the fields of the message.
class Rows {
public:
  explicit Rows(Builder &builder) : builder(builder) {}

  Rows &text(StringRef key, StringRef value) {
    return add(key, builder.getStringAttr(value));
  }
  /// Zero is left out: it is what a missing field means.
  Rows &number(StringRef key, int64_t value) {
    return value == 0 ? *this : add(key, builder.getI64IntegerAttr(value));
  }
  Rows &flag(StringRef key, bool value) {
    return value ? add(key, builder.getUnitAttr()) : *this;
  }
  void end() {
    rows.push_back(builder.getDictionaryAttr(entries));
    entries.clear();
  }
  ArrayAttr all() const { return builder.getArrayAttr(rows); }

private:
  Rows &add(StringRef key, Attribute value) {
    entries.push_back(builder.getNamedAttr(key, value));
    return *this;
  }
  Builder &builder;
  SmallVector<NamedAttribute> entries;
  SmallVector<Attribute> rows;
};

ArrayAttr portRows(Builder &builder, const image::Microprogram &program) {
  Rows rows(builder);
  for (const auto &port : program.ports())
    rows.text("name", port.name())
        .number("elements", port.elements())
        .number("width", port.width())
        .number("hold", port.hold())
        .end();
  return rows.all();
}

ArrayAttr stateRows(Builder &builder, const image::Microprogram &program) {
  Rows rows(builder);
  for (const auto &state : program.states())
    rows.text("name", state.name())
        .number("elements", state.elements())
        .number("width", state.width())
        .number("reset_every", state.reset_every())
        .flag("keep", state.keep())
        .end();
  return rows.all();
}

ArrayAttr paramRows(Builder &builder, const image::Microprogram &program) {
  Rows rows(builder);
  for (const auto &param : program.params())
    rows.text("name", param.name())
        .number("elements", param.elements())
        .number("width", param.width())
        .flag("per_neuron", param.per_neuron())
        .end();
  return rows.all();
}

ArrayAttr outputRows(Builder &builder, const image::Microprogram &program) {
  Rows rows(builder);
  for (const Emission &output : program.outputs())
    rows.text("name", output.name())
        .number("elements", output.elements())
        .number("low", output.low())
        .number("high", output.high())
        .text("kind", kKinds[output.kind()])
        .number("steps", output.steps())
        .end();
  return rows.all();
}

/// One dictionary, read back.
class Row {
public:
  explicit Row(Attribute attr) : entries(cast<DictionaryAttr>(attr)) {}
  std::string text(StringRef key) const {
    auto attr = entries.getAs<StringAttr>(key);
    return attr ? attr.getValue().str() : "";
  }
  int64_t number(StringRef key) const {
    auto attr = entries.getAs<IntegerAttr>(key);
    return attr ? attr.getInt() : 0;
  }
  uint32_t small(StringRef key) const {
    return static_cast<uint32_t>(number(key));
  }
  bool flag(StringRef key) const { return bool(entries.get(key)); }

private:
  DictionaryAttr entries;
};

void readRows(chip::ProgramOp op, image::Microprogram &program) {
  for (Attribute attr : op.getPorts()) {
    Row row(attr);
    auto &port = *program.add_ports();
    port.set_name(row.text("name"));
    port.set_elements(row.small("elements"));
    port.set_width(row.small("width"));
    port.set_hold(row.small("hold"));
  }
  for (Attribute attr : op.getStates()) {
    Row row(attr);
    auto &state = *program.add_states();
    state.set_name(row.text("name"));
    state.set_elements(row.small("elements"));
    state.set_width(row.small("width"));
    state.set_reset_every(row.small("reset_every"));
    state.set_keep(row.flag("keep"));
  }
  for (Attribute attr : op.getParams()) {
    Row row(attr);
    auto &param = *program.add_params();
    param.set_name(row.text("name"));
    param.set_elements(row.small("elements"));
    param.set_width(row.small("width"));
    param.set_per_neuron(row.flag("per_neuron"));
  }
  for (Attribute attr : op.getOutputs()) {
    Row row(attr);
    Emission &output = *program.add_outputs();
    output.set_name(row.text("name"));
    output.set_elements(row.small("elements"));
    output.set_low(row.number("low"));
    output.set_high(row.number("high"));
    for (int kind = 0; kind < 4; ++kind)
      if (row.text("kind") == kKinds[kind])
        output.set_kind(static_cast<Emission::Kind>(kind));
    output.set_steps(row.small("steps"));
  }
}

} // namespace

chip::ProgramOp createProgram(OpBuilder &builder, Location loc,
                              const image::Microprogram &program,
                              StringRef name) {
  SmallVector<StringRef> names(program.names().begin(), program.names().end());
  std::vector<int64_t> code = micro::decodeI64(program.code());
  std::vector<int64_t> constants = micro::decodeI64(program.constants());
  Type word = builder.getI64Type();
  return chip::ProgramOp::create(
      builder, loc, builder.getStringAttr(program.model()),
      builder.getI64IntegerAttr(program.registers()),
      portRows(builder, program), stateRows(builder, program),
      paramRows(builder, program), outputRows(builder, program),
      names.empty() ? ArrayAttr() : builder.getStrArrayAttr(names),
      dend::makeElements(
          RankedTensorType::get({int64_t(code.size()) / 6, 6}, word),
          (name + "_code").str(), code),
      dend::makeElements(
          RankedTensorType::get({int64_t(constants.size())}, word),
          (name + "_constants").str(), constants));
}

FailureOr<image::Microprogram> readProgram(chip::ProgramOp op) {
  image::Microprogram program;
  program.set_model(op.getModel().str());
  program.set_registers(static_cast<uint32_t>(op.getRegisters()));
  readRows(op, program);
  if (std::optional<ArrayAttr> names = op.getNames())
    for (Attribute name : *names)
      program.add_names(cast<StringAttr>(name).getValue().str());
  auto code = dend::readInts(op.getCode());
  auto constants = dend::readInts(op.getConstants());
  if (failed(code) || failed(constants))
    return op.emitError("its code cannot be read as integers");
  program.set_code(micro::encodeI64(*code));
  program.set_constants(micro::encodeI64(*constants));
  return program;
}

} // namespace neurite
