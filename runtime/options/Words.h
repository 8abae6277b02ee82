// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text for all doors. Whatever is said names an option as the command line
// does ("--weight-bits 4", "--import dt=1e-3"); who asks by another door reads
// that door's word for it. Python does the same (words.py).

#ifndef DENDROLITH_RUNTIME_OPTIONS_WORDS_H
#define DENDROLITH_RUNTIME_OPTIONS_WORDS_H

#include <string>

namespace dendrolith::options {

/// The text with the keys of a study in place of flags: "compile.weight-bits
/// 4", "compile.dt=1e-3". What is no key of a study stays as it is.
std::string withKeys(const std::string &text);

} // namespace dendrolith::options

#endif // DENDROLITH_RUNTIME_OPTIONS_WORDS_H
