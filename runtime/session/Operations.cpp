// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Operations.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/NetworkIndex.h"

#include <optional>

namespace dendrolith::session {
namespace {

/// The elements of a constant; none where it has none that are numbers.
class Elements {
public:
  explicit Elements(dend::ConstantOp constant) {
    if (constant && constant.getValueAttr())
      raw = dend::rawElements(constant.getValueAttr());
    if (constant)
      type = mlir::cast<mlir::RankedTensorType>(constant.getType());
  }

  bool isZero(int64_t i) const {
    if (!raw)
      return false;
    if (raw->count == 1)
      i = 0;
    return raw->element.isInteger() ? raw->integer(i) == 0 : raw->real(i) == 0;
  }
  int64_t integer(int64_t i) const { return raw ? raw->integer(i) : 0; }

  mlir::RankedTensorType type; ///< null without a constant

private:
  std::optional<dend::RawElements> raw;
};

Elements elementsOf(dend::ProjectOp project, mlir::FlatSymbolRefAttr name) {
  return Elements(name ? dend::symbolOf<dend::ConstantOp>(project, name)
                       : dend::ConstantOp());
}

void count(std::vector<uint64_t> &weights, int64_t source) {
  if (size_t(source) >= weights.size())
    weights.resize(size_t(source) + 1);
  ++weights[size_t(source)];
}

std::vector<uint64_t> weightsOf(dend::ProjectOp project) {
  const Elements weight = elementsOf(project, project.getWeightAttr());
  const mlir::Attribute kind = project.getSynapses();
  std::vector<uint64_t> weights;
  auto pool = mlir::dyn_cast<dend::PoolAttr>(kind);
  auto conv = mlir::dyn_cast<dend::ConvAttr>(kind);
  if (pool || (conv && weight.type)) {
    const dend::Window window =
        pool ? dend::windowOf(pool)
             : dend::windowOf(conv, weight.type.getShape());
    window.taps([&](int64_t, int64_t source, int64_t tap) {
      if (pool || !weight.isZero(tap))
        count(weights, source);
    });
  } else if (weight.type) {
    const int64_t all = weight.type.getNumElements();
    const Elements indices = elementsOf(project, project.getIndicesAttr());
    const bool isDiagonal = mlir::isa<dend::DiagonalAttr>(kind);
    const int64_t width = weight.type.getShape().back();
    for (int64_t i = 0; i < all; ++i)
      if (!weight.isZero(i))
        count(weights, indices.type ? indices.integer(2 * i + 1)
                       : isDiagonal ? i
                                    : i % width);
  }
  return weights;
}

} // namespace

Fans::Fans(dend::NetworkOp network) {
  dend::NetworkIndex index(network);
  for (auto project : network.getOps<dend::ProjectOp>()) {
    Source &source = sources.emplace_back();
    source.name = project.getSource().str();
    source.output = project.getOutput().value_or("").str();
    if (auto input =
            dend::symbolOf<dend::InputOp>(project, project.getSourceAttr()))
      source.input = uint64_t(
          mlir::cast<mlir::RankedTensorType>(input.getType()).getNumElements());
    source.weights = weightsOf(project);
  }
}

template <typename T>
void Fans::addValues(const Source &source, const std::vector<T> &values,
                     size_t width, OperationSums &sums) {
  for (size_t i = 0; i < values.size(); ++i) {
    const T value = values[i];
    const size_t element = value != 0 ? i % width : source.weights.size();
    if (element < source.weights.size())
      (value == 1 || value == -1 ? sums.accumulates : sums.multiplies) +=
          source.weights[element];
  }
}

void Fans::add(const dend::Interpreter &interpreter,
               const std::map<std::string, std::vector<double>> &inputs,
               OperationSums &sums) const {
  for (const Source &source : sources) {
    if (source.input) {
      addValues(source, inputs.at(source.name), source.input, sums);
      continue;
    }
    const dend::Signal &sent = interpreter.emission(source.name, source.output);
    const size_t ticks = size_t(interpreter.ticks(source.name));
    if (sent.isReal)
      addValues(source, sent.real, sent.real.size() / ticks, sums);
    else
      addValues(source, sent.raw, sent.raw.size() / ticks, sums);
  }
}

} // namespace dendrolith::session
