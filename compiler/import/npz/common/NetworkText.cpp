// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/common/NetworkText.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace dendrolith::npz {

std::string filled(const std::string &text, const Words &words) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z')
      ++end;
    out += words.at(text.substr(i + 1, end - i - 1));
    i = end - 1;
  }
  return out;
}

OwningOpRef<ModuleOp> parseNetwork(MLIRContext &context,
                                   const std::string &text,
                                   const std::string &name,
                                   Constants constants) {
  // The text is not verified while it is parsed, because its constants are
  // added after it.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  if (!module)
    return module;
  auto network = *module->getOps<dend::NetworkOp>().begin();
  network.setSymName(name);
  // Locations in a text that no user has would only mislead.
  module->walk([&](Operation *op) { op->setLoc(UnknownLoc::get(&context)); });
  for (auto model : network.getOps<dend::NeuronOp>())
    model.walk([&](Operation *op) {
      op->setLoc(NameLoc::get(model.getSymNameAttr()));
    });
  OpBuilder builder = OpBuilder::atBlockBegin(&network.getBody().front());
  auto add = [&](const std::string &symbol, ElementsAttr values) {
    dend::ConstantOp::create(builder, builder.getUnknownLoc(),
                             builder.getStringAttr(symbol),
                             TypeAttr::get(values.getType()), values,
                             StringAttr(), DenseI64ArrayAttr());
  };
  for (auto &[symbol, constant] : constants) {
    auto type = RankedTensorType::get(
        SmallVector<int64_t>(constant.shape.begin(), constant.shape.end()),
        builder.getF64Type());
    add(symbol, dend::makeElements(type, symbol, constant.values));
    if (constant.indices.empty())
      continue;
    auto pairs = RankedTensorType::get({int64_t(constant.values.size()), 2},
                                       builder.getI32Type());
    add(symbol + ".indices", dend::takeElements(pairs, symbol + ".indices",
                                                std::move(constant.indices)));
  }
  return module;
}

} // namespace dendrolith::npz
