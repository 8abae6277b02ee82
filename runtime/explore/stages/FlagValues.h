// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes compile.FLAG: values of the compiler's flags, by the meaning that
// they have on a command line.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_FLAGVALUES_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_FLAGVALUES_H

#include "runtime/explore/stages/Asked.h"
#include "runtime/options/Options.h"
#include "runtime/session/ModelRequest.h"

namespace dendrolith::explore {

/// The first stage that a flag has a say in.
options::CompilerStage stageOf(const std::string &flag);

/// A request with these flags. Throws Error for one that there is not, and for
/// a value that it does not take.
session::ModelRequest requestWith(const Changes &flags);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_FLAGVALUES_H
