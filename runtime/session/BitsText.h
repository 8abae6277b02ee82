// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits by layer as users give them: in a flag or in a file.

#ifndef DENDROLITH_RUNTIME_SESSION_BITSTEXT_H
#define DENDROLITH_RUNTIME_SESSION_BITSTEXT_H

#include <string>

namespace dendrolith::session {

/// What CompileOptions::weightBits takes. `value` is such a text itself, or
/// names a .yaml, .yml or .json file with a number, a list of numbers, or a map
/// from layers to numbers. Throws Error, with the place in the file or with the
/// flag.
std::string bitsText(const std::string &flag, const std::string &value);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_BITSTEXT_H
