// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run as its page shows it. The sections beside this return markup, empty
// where the run does not know what belongs there.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RUNVIEW_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RUNVIEW_H

#include "targets/loader/Target.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace dendrolith::report::html {

struct RunView {
  const nlohmann::ordered_json &result, &tables; ///< null where it is missing
  std::optional<Target> target; ///< the chip as it was; none of a float network
  double samples;
};

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RUNVIEW_H
