// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run answered, and how right that is.

#ifndef DENDROLITH_RUNTIME_SESSION_JUDGEMENT_H
#define DENDROLITH_RUNTIME_SESSION_JUDGEMENT_H

#include "runtime/session/Metrics.h"
#include "runtime/session/RunRequest.h"
#include "simulator/report/result/Result.h"

#include <vector>

namespace dendrolith::session {

/// Reads the labels that are asked for and adds the score, the confusion matrix
/// and, sample by sample, what is right; also the classes that were answered,
/// with labels or without, where the first output has more than one element
/// and enough ticks. Warns the listener of ties. Returns the labels; none where
/// there are none. Throws Error for labels that do not fit.
std::vector<double> judge(const RunRequest &request, const Metric &metric,
                          RunOutcome &outcome, report::Result &result);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_JUDGEMENT_H
