// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception of the layers without MLIR. The message is ready to print:
// lower case, place first, what was expected, what was found, what to do.

#ifndef NEURITE_TARGETS_ERROR_H
#define NEURITE_TARGETS_ERROR_H

#include <stdexcept>
#include <string>

namespace neurite {

/// Bad input of any kind. Only `main` catches it to exit (code 1).
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message) : std::runtime_error(message) {}
};

} // namespace neurite

#endif // NEURITE_TARGETS_ERROR_H
