// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "compiler/transforms/rewrites/WideNetwork.h"
#include "compiler/transforms/rewrites/WidePiece.h"

#include "fmt/format.h"

using namespace mlir;

namespace dendrolith {

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
