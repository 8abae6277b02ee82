// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_TARGETS_SUPPORT_SHORTEN_H
#define DENDROLITH_TARGETS_SUPPORT_SHORTEN_H

#include <string>

namespace dendrolith {

/// A message that quotes something long, with its middle left out: nobody reads
/// 100 MB of it.
std::string shortened(const std::string &message);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_SHORTEN_H
