// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/FeatureMaps.h"

#include "dialects/dend/NetworkIndex.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace dendrolith {

static MapGrid gridOf(const dend::Window &window) {
  return {uint32_t(window.channels), uint32_t(window.output(0)),
          uint32_t(window.output(1))};
}

static std::optional<dend::Window> windowOfConv(dend::ProjectOp project) {
  auto conv = dyn_cast<dend::ConvAttr>(project.getSynapses());
  auto weight =
      conv ? dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr())
           : dend::ConstantOp();
  if (!weight)
    return std::nullopt;
  return dend::windowOf(conv,
                        cast<RankedTensorType>(weight.getType()).getShape());
}

MapGrid gridOf(dend::PopulationOp population) {
  for (dend::ProjectOp project : dend::projectionsInto(population)) {
    if (auto pool = dyn_cast<dend::PoolAttr>(project.getSynapses()))
      return gridOf(dend::windowOf(pool));
    if (auto window = windowOfConv(project))
      return gridOf(*window);
  }
  return {};
}

/// A chip of Loihi's kind has an in-axon for each remainder of a source's
/// column by the stride, from which other columns of the kernel start.
static void addInAxons(const dend::Window &window, MapKernel &kernel) {
  const int64_t stride = window.stride[1], columns = window.input[2];
  std::vector<int> axonOf(size_t(stride), -1); // by remainder
  for (int64_t k = 0; k < window.kernel[1]; ++k) {
    const int64_t from = k * window.dilation[1] - window.padding[1];
    int &axon = axonOf[size_t((from % stride + stride) % stride)];
    if (axon < 0)
      axon = int(kernel.inAxons++);
  }
  if (kernel.inAxons > 1)
    for (int64_t s = 0; s < window.sources(); ++s)
      kernel.inAxon.push_back(
          uint8_t(std::max(0, axonOf[size_t(s % columns % stride)])));
}

MapKernel kernelOf(const dend::Window &window) {
  MapKernel kernel;
  kernel.taps = uint32_t(window.kernel[0] * window.kernel[1]);
  kernel.sources = uint32_t(window.inPerGroup());
  kernel.group = uint32_t(window.outPerGroup());
  addInAxons(window, kernel);
  const int64_t places = window.output(0) * window.output(1);
  for (int64_t n = 0; n < window.targets(); ++n) {
    kernel.channel.push_back(uint32_t(n / places));
    kernel.place.push_back(uint32_t(n % places));
  }
  return kernel;
}

MapKernel kernelOf(dend::ProjectOp project) {
  // Where strides are wider, lists are as good.
  constexpr int64_t kWidestStride = 255;
  const std::optional<dend::Window> window = windowOfConv(project);
  return window && window->stride[1] <= kWidestStride ? kernelOf(*window)
                                                      : MapKernel();
}

} // namespace dendrolith
