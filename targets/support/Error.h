// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception of the layers without MLIR. The message is ready to print:
// lower case, place first, what was expected, what was found, what to do.

#ifndef DENDROLITH_TARGETS_SUPPORT_ERROR_H
#define DENDROLITH_TARGETS_SUPPORT_ERROR_H

#include <new>
#include <stdexcept>
#include <string>

namespace dendrolith {

/// Bad input of any kind. Only `main` catches it to exit (code 1).
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message) : std::runtime_error(message) {}
};

/// Calls `work`; where there is not enough memory for it, throws Error that
/// names `place`, the file whose content asks for so much.
template <typename Work>
auto withMemoryFor(const std::string &place, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    throw Error(place + ": needs more memory than there is");
  } catch (const std::length_error &) {
    throw Error(place + ": needs more memory than there is");
  }
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_ERROR_H
