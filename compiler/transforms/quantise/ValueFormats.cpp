// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/ValueFormats.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {

dend::FxType formatFor(MLIRContext *context, double magnitude, unsigned bits,
                       unsigned headroom) {
  int exponent = 0; // magnitude < 2^exponent
  if (magnitude > 0)
    std::frexp(magnitude, &exponent);
  return dend::FxType::get(context, bits,
                           exponent + int(headroom) - int(bits - 1));
}

/// Returns whether a value is a port, a parameter or a literal, which have
/// formats of their own.
static bool isSource(dend::NeuronOp model, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getArgNumber() <
           model.getPortArgs().size() + model.getParamArgs().size();
  return isa<dend::LiteralOp>(value.getDefiningOp());
}

ValueFormats::ValueFormats(dend::NeuronOp model,
                           std::function<double(Value)> magnitudes,
                           unsigned bits)
    : model(model), magnitude(std::move(magnitudes)), bits(bits) {
  model.getBlock().walk([&](Operation *op) { visit(op); });
  std::vector<double> largest(parent.size(), 0.0);
  auto grow = [&](unsigned node, Value value) {
    double &most = largest[find(node)];
    most = std::max(most, magnitude(value));
  };
  for (auto [value, node] : nodes)
    grow(node, value);
  for (auto [value, node] : sources)
    grow(node, value);
  formats.resize(parent.size());
  for (unsigned n = 0; n < parent.size(); ++n)
    formats[n] = formatFor(model.getContext(), largest[n], bits, kHeadroom);
  for (auto [value, node] : sources) {
    dend::FxType format = formats[find(node)];
    auto [it, isNew] = onlyFormat.try_emplace(value, format);
    if (!isNew && it->second != format)
      it->second = {};
  }
}

unsigned ValueFormats::node(Value value) {
  auto [it, isNew] = nodes.try_emplace(value, unsigned(parent.size()));
  if (isNew)
    parent.push_back(it->second);
  return it->second;
}

unsigned ValueFormats::find(unsigned node) const {
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

void ValueFormats::unite(unsigned a, unsigned b) {
  a = find(a), b = find(b);
  parent[std::max(a, b)] = std::min(a, b);
}

void ValueFormats::share(Operation *op, ArrayRef<Value> values) {
  unsigned anchor = unsigned(parent.size());
  parent.push_back(anchor);
  anchors[op] = anchor;
  for (Value value : values) {
    if (!dend::isReal(value.getType()))
      continue;
    if (isSource(model, value))
      sources.push_back({value, anchor});
    else
      unite(anchor, node(value));
  }
}

void ValueFormats::visit(Operation *op) {
  for (Value result : op->getResults())
    if (dend::isReal(result.getType()) && !isSource(model, result))
      node(result);
  SmallVector<Value> grouped;
  if (auto body = dyn_cast<dend::BodyOpInterface>(op)) {
    for (const dend::FormatGroup &group : body.getFormatGroups()) {
      share(op, group);
      llvm::append_range(grouped, group);
    }
  } else if (auto yield = dyn_cast<dend::YieldOp>(op)) {
    for (auto [state, next] :
         llvm::zip_equal(model.getStateArgs(), yield.getStates()))
      share(op, {state, next});
    return; // what is emitted is no factor
  }
  for (Value operand : op->getOperands())
    if (dend::isReal(operand.getType()) &&
        !llvm::is_contained(grouped, operand))
      useAsFactor(operand);
}

dend::FxType ValueFormats::of(Value value) const {
  return formats[find(nodes.at(value))];
}

dend::FxType ValueFormats::ofOperands(Operation *op) const {
  return formats[find(anchors.at(op))];
}

dend::FxType ValueFormats::onlyUse(Value source) const {
  return factors.contains(source) ? dend::FxType() : onlyFormat.lookup(source);
}

} // namespace dendrolith
