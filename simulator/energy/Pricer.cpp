// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/energy/Pricer.h"

#include "simulator/energy/ExactSum.h"

namespace dendrolith::sim {

std::optional<double> Pricer::energy(const CoreCounts &counts) const {
  ExactSum sum;
  bool known = false, unknown = false;
  for (const auto &[event, price] : prices) {
    if (counts[event] == 0)
      continue;
    (price.form == Price::Decision::Unpriced ? unknown : known) = true;
    if (price.form == Price::Decision::Priced)
      sum.add(counts[event], price.value);
  }
  if (unknown && !known)
    return std::nullopt;
  return sum.value();
}

} // namespace dendrolith::sim
