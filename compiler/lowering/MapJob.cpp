// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/MapJob.h"

#include "compiler/lowering/ModelPlacement.h"
#include "compiler/transforms/network/Refusal.h"

using namespace mlir;

namespace dendrolith {

FailureOr<MapJob> mapJobOf(dend::NetworkOp network, Target onto,
                           std::vector<std::string> lifted,
                           MappingOptions options) {
  for (const std::string &limit : lifted)
    onto.overrideLimit(limit);
  auto lowered = toMapNetwork(network, onto);
  if (failed(lowered))
    return failure();
  auto ofModel = modelPlacement(*lowered);
  if (failed(ofModel))
    return failure();
  options.model = std::move(*ofModel);
  auto numbers = modelNumbers(*lowered);
  if (failed(numbers))
    return failure();
  options.numbers = std::move(*numbers);
  return MapJob{std::move(*lowered), std::move(onto), std::move(lifted),
                std::move(options)};
}

LogicalResult refuse(dend::NetworkOp network, const Misfit &misfit) {
  return refuse(emitError(network.getLoc()) << misfit.message,
                Refusal{misfit.clause(), misfit.oneNeuron, misfit.resource,
                        misfit.used, misfit.limit});
}

} // namespace dendrolith
