// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a network without inputs runs.

#ifndef DENDROLITH_RUNTIME_HOST_NOINPUT_H
#define DENDROLITH_RUNTIME_HOST_NOINPUT_H

#include <string>

namespace dendrolith {

/// The name under which a network without inputs is given the samples and root
/// ticks of a run; they have no values.
inline const std::string kNoInput;

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_NOINPUT_H
