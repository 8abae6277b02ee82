// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/SynapseConstants.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"

#include <algorithm>

namespace dendrolith::nir {

using namespace mlir;

template <typename T>
FlatSymbolRefAttr Constants::constant(const std::string &name,
                                      const Shape &shape, mlir::Type element,
                                      const std::vector<T> &values) {
  std::string symbol = names.fresh(name);
  auto type = RankedTensorType::get(
      SmallVector<int64_t>(shape.begin(), shape.end()), element);
  dend::ConstantOp::create(builder, NameLoc::get(builder.getStringAttr(symbol)),
                           builder.getStringAttr(symbol), TypeAttr::get(type),
                           dend::makeElements(type, symbol, values),
                           StringAttr(), DenseI64ArrayAttr());
  return FlatSymbolRefAttr::get(builder.getContext(), symbol);
}

FlatSymbolRefAttr Constants::real(const std::string &name, const Shape &shape,
                                  const std::vector<double> &values,
                                  bool float32) {
  return constant(name, shape,
                  float32 ? mlir::Type(builder.getF32Type())
                          : mlir::Type(builder.getF64Type()),
                  values);
}

FlatSymbolRefAttr Constants::bias(const Bias &bias) {
  if (!bias.values)
    return {};
  FlatSymbolRefAttr &symbol = biases[bias.values.get()];
  if (!symbol)
    symbol = real(bias.name + ".bias", {bias.values->size()}, *bias.values,
                  bias.float32);
  return symbol;
}

/// Takes only the entries that are not zero, ordered by source and then target.
Synapses Constants::sparse(const LinearMap &map) {
  std::vector<double> values;
  std::vector<int64_t> indices;
  for (uint64_t col = 0; col < map.cols; ++col)
    for (uint64_t row = 0; row < map.rows; ++row)
      if (double value = (*map.values)[row * map.cols + col]) {
        values.push_back(value);
        indices.push_back(static_cast<int64_t>(row));
        indices.push_back(static_cast<int64_t>(col));
      }
  return sparse(map, values, indices);
}

Synapses Constants::sparse(const LinearMap &map,
                           const std::vector<double> &values,
                           const std::vector<int64_t> &indices) {
  return {dend::SparseAttr::get(builder.getContext()),
          real(map.name + ".weight", {values.size()}, values, map.float32),
          constant(map.name + ".indices", {values.size(), 2},
                   builder.getI32Type(), indices)};
}

/// The kind of the map's synapses, and the shape of their weight constant.
std::pair<Attribute, Shape> Constants::kindOf(const LinearMap &map) {
  MLIRContext *context = builder.getContext();
  auto list = [&](auto values) {
    return builder.getDenseI64ArrayAttr(
        SmallVector<int64_t>(values.begin(), values.end()));
  };
  const dend::Window &w = map.window;
  switch (map.kind) {
  case LinearMap::MapForm::Conv:
    return {dend::ConvAttr::get(context, list(w.input), list(w.stride),
                                list(w.padding), list(w.dilation), w.groups),
            {uint64_t(w.channels), uint64_t(w.inPerGroup()),
             uint64_t(w.kernel[0]), uint64_t(w.kernel[1])}};
  case LinearMap::MapForm::Dense:
    return {dend::DenseAttr::get(context), {map.rows, map.cols}};
  default:
    return {dend::DiagonalAttr::get(context), {map.rows}};
  }
}

Synapses Constants::synapses(const LinearMap &map) {
  if (map.kind == LinearMap::MapForm::Identity)
    return {dend::DiagonalAttr::get(builder.getContext()), {}, {}};
  if (map.kind == LinearMap::MapForm::Dense && map.sparse) {
    uint64_t zeros = std::count(map.values->begin(), map.values->end(), 0.0);
    if (zeros < map.values->size() && 2 * zeros >= map.values->size())
      return sparse(map);
  }
  if (map.kind == LinearMap::MapForm::Sparse && !map.values->empty()) {
    std::vector<int64_t> indices;
    for (Position at : *map.positions) {
      indices.push_back(at.row);
      indices.push_back(at.column);
    }
    return sparse(map, *map.values, indices);
  }
  if (map.kind == LinearMap::MapForm::Sparse) { // nothing is left of it
    Values zeros = std::make_shared<const std::vector<double>>(
        size_t(map.rows * map.cols), 0.0);
    return {dend::DenseAttr::get(builder.getContext()),
            real(map.name + ".weight", {map.rows, map.cols}, *zeros, false),
            {}};
  }
  auto [kind, shape] = kindOf(map);
  FlatSymbolRefAttr &symbol = weights[map.values.get()];
  if (!symbol)
    symbol = real(map.name.empty() ? "weight" : map.name + ".weight", shape,
                  *map.values, map.float32);
  return {kind, symbol, {}};
}

} // namespace dendrolith::nir
