// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of a chip that a calibration may move.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_PARAMETERS_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_PARAMETERS_H

#include "runtime/explore/silicon/Fit.h"
#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"

#include <string>
#include <vector>

namespace dendrolith::silicon {

struct Parameter {
  /// A time of the default set: its key in it, as Target::set() takes it behind
  /// "timing.SET.". A price: the event, or "static".
  std::string key;
  bool isPrice = false;
  std::string unit;
  double shipped = 0; ///< the middle of a band
  Band band;
};

/// The numbers that --fit names, each as KEY or KEY=LOW..HIGH. A key may leave
/// out words where one number remains, as barrier.base does of
/// timing.scaled.barrier.formula.base; prices begin with "costs.". Without a
/// band of its own a number is halved and doubled. Only fitted, scaled and
/// assumed numbers move, and others where their band is given. Throws Error.
std::vector<Parameter> parametersOf(const std::vector<std::string> &fit,
                                    const Target &target,
                                    const std::vector<CostTable> &prices);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_PARAMETERS_H
