// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration for people.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_CALIBRATIONTEXT_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_CALIBRATIONTEXT_H

#include "runtime/explore/silicon/Calibrate.h"

namespace dendrolith::silicon {

std::string formatCalibration(const Calibration &fitted);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_CALIBRATIONTEXT_H
