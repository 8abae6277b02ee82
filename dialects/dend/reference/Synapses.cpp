// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Synapses.h"

namespace dendrolith::dend {

Synapses::Synapses(Connections made) : connections(std::move(made)) {
  bySource.resize(size_t(connections.sources));
  connections.forEach([&](int64_t source, int64_t target, int64_t weight) {
    const Tensor &weights = connections.weights;
    // A weight of zero adds nothing, whatever it is multiplied by.
    if (connections.intoReals ? weights.real[weight] != 0
                              : weights.ints[weight] != 0)
      bySource[source].push_back({uint32_t(target), uint32_t(weight)});
  });
}

/// The product of two integers, modulo 2^64.
uint64_t Synapses::term(int64_t weight, int64_t value) const {
  const uint64_t product = uint64_t(weight) * uint64_t(value);
  if (connections.productShift) // the product is cut to 16 bits
    return uint64_t(int16_t(int64_t(product) >> connections.productShift));
  return connections.shift < 64 ? product << connections.shift : 0;
}

void Synapses::send(const PopulationValue &source, Arrivals &to) const {
  const Tensor &weights = connections.weights;
  to.real.resize(connections.intoReals ? connections.targets : 0);
  to.raw.resize(connections.intoReals ? 0 : connections.targets);
  for (size_t s = 0; s < bySource.size(); ++s) {
    if (source.isReal() ? source.real[s] == 0 : source.raw[s] == 0)
      continue;
    for (auto [target, weight] : bySource[s])
      if (connections.intoReals)
        to.real[target] +=
            weights.real[weight] *
            (source.isReal() ? source.real[s] : double(source.raw[s]));
      else
        to.raw[target] += term(weights.ints[weight], source.raw[s]);
  }
}

} // namespace dendrolith::dend
