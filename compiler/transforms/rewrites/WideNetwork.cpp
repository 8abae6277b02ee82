// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/WideNetwork.h"

#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "compiler/transforms/rewrites/WidePiece.h"
#include "compiler/transforms/rewrites/WideWires.h"
#include "dialects/dend/NumberAttrs.h"

#include "fmt/format.h"

#include <deque>

using namespace mlir;

namespace dendrolith {
namespace {

class WideDivider {
public:
  WideDivider(dend::PopulationOp population, const WideBody &body,
              const WideOptions &options)
      : population(population), network(dend::networkOf(population)),
        body(body), options(options), name(population.getSymName().str()) {}

  LogicalResult run() {
    NetworkSize before = sizeOf(network);
    makePieces({});
    llvm::SetVector<Value> front = frontValues();
    if (options.front && !front.empty()) {
      for (dend::NeuronOp model : models)
        model.erase();
      models.clear();
      pieces.clear();
      makePieces(front);
      makeFront();
    }
    makePopulations();
    if (failed(wire()))
      return failure();
    recordRewrite(network, "split-dendrite", name, detail(), before);
    return success();
  }

private:
  WidePiece &add(const std::string &suffix, int row, int64_t low,
                 int64_t high) {
    suffixes.push_back(suffix);
    rows.push_back(row);
    ranges.push_back({low, high});
    std::string model = suffix == "front" ? "prepare" : suffix;
    return pieces.emplace_back(
        body, freeName(network, fmt::format("{}.{}", name, model)), low, high,
        options.messageBits);
  }

  /// The combiner, then the parts.
  void makePieces(const llvm::SetVector<Value> &front) {
    suffixes.clear();
    rows.clear();
    ranges.clear();
    received = front;
    WidePiece &combiner = add("join", -1, 0, body.length);
    combiner.receiveFromFront(&received);
    combiner.combine();
    for (auto [s, its] : llvm::enumerate(body.states))
      if (its.kind == ValueClass::Joined)
        combiner.hold(unsigned(s));
    combiner.emitOutputs();
    models.push_back(combiner.finish());
    int number = 0;
    for (auto [r, row] : llvm::enumerate(body.rows))
      for (unsigned p = 0; p < row.parts(); ++p) {
        WidePiece &part = add(fmt::format("part{}", number++), int(r),
                              row.bounds[p], row.bounds[p + 1]);
        part.receiveFromFront(&received);
        for (auto [s, its] : llvm::enumerate(body.states))
          if (its.row == int(r))
            part.hold(unsigned(s));
        for (const PieceInput &input : pieces.front().inputs)
          if (body.classOf(input.value).row == int(r))
            part.send(input.value);
        models.push_back(part.finish());
      }
  }

  /// What several pieces compute of ports alone, and elements of it.
  llvm::SetVector<Value> frontValues() {
    llvm::DenseMap<Value, unsigned> users;
    llvm::SetVector<Value> all;
    for (const WidePiece &piece : pieces)
      for (Value value : piece.shared) {
        ++users[value];
        all.insert(value);
      }
    llvm::SetVector<Value> front;
    for (Value value : all) {
      Operation *op = value.getDefiningOp();
      bool travels = dend::fixedType(value.getType()) ||
                     dend::elementType(value.getType()).isInteger(1);
      if (!travels || !varies(value))
        continue;
      bool ofFront = isa_and_nonnull<dend::SliceOp, dend::ElementOp>(op) &&
                     users[op->getOperand(0)] > 1;
      if (users[value] > 1 || ofFront)
        front.insert(value);
    }
    return front;
  }

  /// Whether a value differs between ticks.
  bool varies(Value value) {
    dend::NeuronOp model = body.model;
    Operation *op = value.getDefiningOp();
    if (!op)
      return !llvm::is_contained(model.getParamArgs(), value);
    return isa<dend::WhenOp>(op) ||
           llvm::any_of(op->getOperands(),
                        [&](Value operand) { return varies(operand); });
  }

  void makeFront() {
    llvm::SetVector<Value> wanted;
    for (const WidePiece &piece : pieces)
      for (const PieceInput &input : piece.inputs)
        if (received.contains(input.value))
          wanted.insert(input.value);
    WidePiece &front = add("front", -1, 0, body.length);
    for (Value value : wanted)
      front.send(value);
    models.push_back(front.finish());
  }

  void makePopulations() {
    OpBuilder builder(population);
    for (size_t i = 0; i < pieces.size(); ++i) {
      NamedAttrList bound;
      for (const PieceParam &param : pieces[i].params)
        bound.set(param.name, rangeOf(population, body.model, param,
                                      ranges[i].first, ranges[i].second));
      DictionaryAttr params = bound.empty()
                                  ? DictionaryAttr()
                                  : bound.getDictionary(builder.getContext());
      auto model = FlatSymbolRefAttr::get(models[i].getSymNameAttr());
      if (i == 0) {
        combinerModel = model;
        combinerParams = params;
        populations.push_back(population);
        continue;
      }
      std::string suffix =
          rows[i] < 0 ? suffixes[i] : suffixes[i].substr(strlen("part"));
      populations.push_back(dend::PopulationOp::create(
          builder, population.getLoc(),
          builder.getStringAttr(
              freeName(network, fmt::format("{}.{}", name, suffix))),
          model, population.getSizeAttr(), population.getClockAttr(), params,
          DenseI64ArrayAttr(), FloatAttr()));
      dend::copyUnits(population, populations.back());
    }
  }

  LogicalResult wire() {
    dend::NeuronOp model = body.model;
    SmallVector<dend::ProjectOp> into;
    for (auto project : network.getOps<dend::ProjectOp>())
      if (project.getTarget() == population.getSymName())
        into.push_back(project);
    for (size_t i = 0; i < pieces.size(); ++i)
      for (const PieceInput &input : pieces[i].inputs) {
        int port = portOf(input.value);
        bool isFront = suffixes[i] == "front";
        if (port < 0 || (received.contains(input.value) && !isFront)) {
          join(i, input);
          continue;
        }
        for (dend::ProjectOp project : into)
          if (project.getPort() == model.getPort(unsigned(port)).getName() &&
              failed(copyInto(project, populations[i], input,
                              dend::elementCount(input.value.getType()))))
            return failure();
      }
    for (dend::ProjectOp project : into)
      project.erase();
    population.setModelAttr(combinerModel);
    clearCalibration(population); // it names states that are the parts' now
    if (combinerParams)
      population.setParamsAttr(combinerParams);
    else
      population.removeParamsAttr();
    if (SymbolTable::symbolKnownUseEmpty(model, network))
      model.erase();
    eraseUnused<dend::ConstantOp>(network);
    return success();
  }

  int portOf(Value value) {
    dend::NeuronOp model = body.model;
    for (auto [i, port] : llvm::enumerate(model.getPortArgs()))
      if (port == value)
        return int(i);
    return -1;
  }

  /// Everybody who sends a value, to a port that receives it.
  void join(size_t to, const PieceInput &input) {
    for (size_t i = 0; i < pieces.size(); ++i)
      for (const PieceOutput &output : pieces[i].outputs)
        if (output.value == input.value)
          joinPieces(populations[i], output, populations[to], input);
  }

  std::string detail() const {
    std::string text =
        fmt::format("each neuron in {} parts",
                    llvm::count_if(rows, [](int row) { return row >= 0; }));
    int64_t sent = 0;
    for (const WidePiece &piece : pieces)
      for (const PieceOutput &output : piece.outputs)
        sent += int64_t(output.messages.size() * output.positions.size());
    if (suffixes.back() == "front")
      text += ", a front neuron";
    return text +
           fmt::format(" and a combiner, which send {} numbers per tick", sent);
  }

  dend::PopulationOp population;
  dend::NetworkOp network;
  const WideBody &body;
  WideOptions options;
  std::string name;
  llvm::SetVector<Value> received; // from the front
  std::deque<WidePiece> pieces;    // the combiner first, the front last
  std::vector<std::string> suffixes;
  std::vector<int> rows; // one for each piece; -1 where it is no part
  std::vector<std::pair<int64_t, int64_t>> ranges;
  SmallVector<dend::NeuronOp> models;
  SmallVector<dend::PopulationOp> populations;
  FlatSymbolRefAttr combinerModel;
  DictionaryAttr combinerParams;
};

} // namespace

std::string whyNotDivisible(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  for (auto output : dend::networkOf(population).getOps<dend::OutputOp>())
    if (output.getPopulation() == population.getSymName() &&
        model.findOutput(output.getFrom()) < 0)
      return "the host reads a state of it";
  for (unsigned s = 0; s < model.getStates().size(); ++s)
    if (isa_and_nonnull<FlatSymbolRefAttr>(model.getState(s).getInit()))
      return "a state of it starts from a constant";
  for (BlockArgument argument : model.getBlock().getArguments())
    if (dend::isReal(argument.getType()) || dend::isComplex(argument.getType()))
      return "it computes in real numbers";
  return "";
}

LogicalResult divideNeuron(dend::PopulationOp population, const WideBody &body,
                           const WideOptions &options) {
  return WideDivider(population, body, options).run();
}

/// A model that sends a port's number on, in messages of so many bits.
static dend::NeuronOp makeCollector(dend::PopulationOp population,
                                    const std::string &name, Type element,
                                    unsigned messageBits, PieceOutput &output) {
  OpBuilder builder(population);
  MLIRContext *context = builder.getContext();
  // A body of one port, which a piece of it sends.
  ArrayAttr none = builder.getArrayAttr({});
  Attribute port =
      dend::PortAttr::get(context, builder.getStringAttr("sum"), {});
  auto whole = dend::NeuronOp::create(
      builder, population.getLoc(), builder.getStringAttr(name + ".whole"),
      builder.getArrayAttr({port}), none, none, none);
  Block &block = whole.getBody().emplaceBlock();
  Value sum = block.addArgument(element, population.getLoc());
  builder.setInsertionPointToEnd(&block);
  dend::YieldOp::create(builder, population.getLoc(), ValueRange(),
                        ValueRange());
  WideBody body;
  body.model = whole;
  body.values[sum] = {};
  WidePiece piece(body, name, 0, 1, messageBits);
  piece.send(sum);
  dend::NeuronOp model = piece.finish();
  output = piece.outputs.front();
  whole.erase();
  return model;
}

LogicalResult collectSynapses(dend::PopulationOp population, StringRef port,
                              unsigned messageBits) {
  auto network = dend::networkOf(population);
  NetworkSize before = sizeOf(network);
  dend::NeuronOp model = dend::modelOf(population);
  int at = model.findPort(port);
  if (at < 0)
    return population.emitError("population '@")
           << population.getSymName() << "' has no port '" << port << "'";
  if (model.getPort(unsigned(at)).getHold())
    return population.emitError("port '")
           << port << "' of '@" << population.getSymName()
           << "' is held; its synapses cannot be collected elsewhere";
  Type type = model.getPortArgs()[at].getType();
  int64_t elements = dend::elementCount(type) * int64_t(population.getSize());
  std::string name =
      fmt::format("{}.{}", population.getSymName().str(), port.str());
  PieceOutput output;
  dend::NeuronOp collector =
      makeCollector(population, freeName(network, name + ".collector"),
                    dend::elementType(type), messageBits, output);
  OpBuilder builder(population);
  auto gather = dend::PopulationOp::create(
      builder, population.getLoc(),
      builder.getStringAttr(freeName(network, name)),
      FlatSymbolRefAttr::get(collector.getSymNameAttr()),
      builder.getI64IntegerAttr(elements), population.getClockAttr(),
      DictionaryAttr(), DenseI64ArrayAttr(), FloatAttr());
  for (auto project : network.getOps<dend::ProjectOp>())
    if (project.getTarget() == population.getSymName() &&
        project.getPort() == port) {
      project.setTargetAttr(FlatSymbolRefAttr::get(gather.getSymNameAttr()));
      project.setPortAttr(builder.getStringAttr("sum"));
    }
  FlatSymbolRefAttr ones = ConstantMaker(population)
                               .make(name + ".one", {elements}, 16,
                                     std::vector<int64_t>(size_t(elements), 1));
  for (auto &[message, shift] : output.messages)
    dend::ProjectOp::create(builder, population.getLoc(),
                            FlatSymbolRefAttr::get(gather.getSymNameAttr()),
                            builder.getStringAttr(message),
                            FlatSymbolRefAttr::get(population.getSymNameAttr()),
                            builder.getStringAttr(port),
                            dend::DiagonalAttr::get(network.getContext()), ones,
                            FlatSymbolRefAttr(), FlatSymbolRefAttr(),
                            builder.getI64IntegerAttr(0),
                            builder.getI64IntegerAttr(shift));
  recordRewrite(network, "split-dendrite", population.getSymName(),
                fmt::format("{} collectors gather the synapses of port '{}'",
                            elements, port.str()),
                before);
  return success();
}

} // namespace dendrolith
