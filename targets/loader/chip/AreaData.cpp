// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/AreaData.h"

#include <cmath>

namespace dendrolith {

double VoltageData::speed() const {
  if (supply == nominal)
    return 1;
  auto at = [&](uint64_t volts) {
    return std::pow(double(volts - threshold), alpha) / double(volts);
  };
  return at(supply) / at(nominal);
}

double VoltageData::energy() const {
  const double ratio = double(supply) / double(nominal);
  return ratio * ratio;
}

double VoltageData::leak() const {
  const double ratio = double(supply) / double(nominal);
  return ratio * ratio * ratio;
}

} // namespace dendrolith
