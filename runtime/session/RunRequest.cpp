// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/RunRequest.h"

#include "targets/support/Error.h"

namespace dendrolith::session {

void check(const RunRequest &request) {
  if (request.byLayer && request.compare.empty())
    throw Error("--layers says where two engines differ; give --compare "
                "float or --compare reference");
  if (request.byLayer && (request.engine == "float" || request.isProgram()))
    throw Error("--layers compares layers of the integer network with those "
                "of the model, which " +
                std::string(request.isProgram() ? "a program image has not"
                                                : "the float engine has not") +
                "; give the model file and another engine");
  if (request.ranked && !request.isProgram())
    throw Error("several processes run a program image; compile the model once "
                "(dendrolith compile), and give its .dlp");
  if (request.ranked && request.verify)
    throw Error("--verify runs in one process; start it without a launcher");
  if (request.timeline.rows && request.engine != "cycle")
    throw Error("--timeline shows when things happen, which the " +
                request.engine +
                " engine does not know; choose --engine cycle");
  if (request.model.mapVerify && request.engine == "float")
    throw Error("map-verify refines a mapping, which the float engine has "
                "not; choose another engine");
  if (!request.expected.empty() && request.engine == "float")
    throw Error("--compare " + request.expected +
                " compares integers, which the float engine has not; choose "
                "another engine");
}

} // namespace dendrolith::session
