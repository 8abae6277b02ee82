// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The views of a study's points that `dendrolith explore` shows: tables and
// texts, and a page.

#ifndef DENDROLITH_RUNTIME_DRIVER_EXPLOREVIEWS_H
#define DENDROLITH_RUNTIME_DRIVER_EXPLOREVIEWS_H

#include "runtime/explore/store/Store.h"
#include "runtime/options/Options.h"

#include <string>
#include <vector>

namespace dendrolith::driver {

struct ViewFlags {
  bool table = false, pareto = false;
  std::string paretoValues, tornado, sensitivity, html, format;
  std::vector<std::string> best, diff;
  bool any() const {
    return table || pareto || !tornado.empty() || !sensitivity.empty() ||
           !best.empty() || !diff.empty() || !html.empty() || format == "csv";
  }
};

void bindViews(options::CommandOptions &options, ViewFlags &flags);

/// How many designs have no point yet.
uint64_t designsLeft(const explore::Store &store,
                     const std::vector<explore::StoredPoint> &points);

/// Shows each view that was asked for, one after the other; as JSON, they are
/// members of one object. As CSV there is the table alone.
void showViews(const explore::Store &store, const ViewFlags &flags);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_EXPLOREVIEWS_H
