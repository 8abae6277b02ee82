// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A planned Lava graph as dend operations.

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_BUILD_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_BUILD_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/lava/Plan.h"
#include "compiler/lava/Neurons.h"
#include "dialects/dend/Constants.h"
#include "targets/support/Error.h"

#include "mlir/IR/Builders.h"

namespace dendrolith::lava {

/// Writes a checked graph at the builder's place, into a network's body.
class GraphBuilder {
public:
  GraphBuilder(mlir::OpBuilder &builder, const Graph &graph, const Plan &plan,
               Warnings &warnings)
      : builder(builder), graph(graph), plan(plan), warnings(warnings) {}

  void run();

private:
  mlir::Location at(const std::string &name) {
    return mlir::NameLoc::get(builder.getStringAttr(name));
  }
  mlir::StringAttr text(const std::string &name) {
    return builder.getStringAttr(name);
  }
  mlir::FlatSymbolRefAttr symbol(const std::string &name) {
    return mlir::FlatSymbolRefAttr::get(builder.getContext(), name);
  }
  const Input &inputOf(size_t i) { return graph.model->inputs(int(i)); }

  template <typename T>
  mlir::FlatSymbolRefAttr constant(const std::string &name,
                                   const std::vector<int64_t> &shape,
                                   unsigned bits, std::vector<T> values);
  mlir::FlatSymbolRefAttr numbers(const std::string &name, unsigned bits,
                                  std::vector<int64_t> values);
  void input(size_t i);
  void relay(size_t i);
  NeuronForm formOf(size_t index, Kwargs &kwargs);
  void population(size_t index);
  void place(const std::string &name, const NeuronForm &form,
             const Constants &all, const Shape &shape);
  void project(const Projection &projection, size_t number);

  mlir::OpBuilder &builder;
  const Graph &graph;
  const Plan &plan;
  Warnings &warnings;
  Names names;
  std::string clock;
  std::map<size_t, std::string> relays; ///< of inputs that are read as s != 0
  std::map<size_t, NeuronForm> forms;
};

template <typename T>
mlir::FlatSymbolRefAttr
GraphBuilder::constant(const std::string &name,
                       const std::vector<int64_t> &shape, unsigned bits,
                       std::vector<T> values) {
  auto type = mlir::RankedTensorType::get(shape, builder.getIntegerType(bits));
  std::string fresh = names.fresh(name);
  mlir::ElementsAttr elements;
  if constexpr (std::is_same_v<T, int64_t>)
    elements = dend::makeElements(type, fresh, values);
  else
    elements = dend::takeElements(type, fresh, std::move(values));
  dend::ConstantOp::create(builder, at(fresh), text(fresh),
                           mlir::TypeAttr::get(type), elements,
                           mlir::StringAttr(), mlir::DenseI64ArrayAttr());
  return symbol(fresh);
}

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_BUILD_H
