// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/RealConstant.h"

#include "compiler/transforms/network/Names.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith {

FlatSymbolRefAttr makeReals(dend::PopulationOp population,
                            const std::string &wanted, ArrayRef<int64_t> shape,
                            const std::vector<double> &values) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  OpBuilder builder(population);
  std::string name = freeName(network, wanted);
  auto type = RankedTensorType::get(shape, builder.getF64Type());
  dend::ConstantOp::create(builder, network.getLoc(), name, type,
                           dend::makeElements(type, name, values), StringAttr(),
                           DenseI64ArrayAttr());
  return FlatSymbolRefAttr::get(builder.getContext(), name);
}

} // namespace dendrolith
