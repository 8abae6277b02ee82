// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites that a program was compiled with.

#ifndef NEURITE_RUNTIME_DRIVER_REWRITETEXT_H
#define NEURITE_RUNTIME_DRIVER_REWRITETEXT_H

#include <nlohmann/json.hpp>

#include <string>

namespace neurite::driver {

/// A table with a line for each below it: what was done, what was verified.
/// Takes program facts or a whole result; empty if there are no `rewrites`.
std::string formatRewrites(const nlohmann::ordered_json &facts);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_REWRITETEXT_H
