// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network or a neuron model as text with words to fill in.

#ifndef NEURITE_COMPILER_IMPORT_NPZ_TEMPLATE_H
#define NEURITE_COMPILER_IMPORT_NPZ_TEMPLATE_H

#include <map>
#include <string>

namespace neurite::npz {

using Words = std::map<std::string, std::string>;

/// The text with each $WORD, which is in capitals, replaced.
std::string filled(const std::string &text, const Words &words);

} // namespace neurite::npz

#endif // NEURITE_COMPILER_IMPORT_NPZ_TEMPLATE_H
