// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception of the layers without MLIR. The message is ready to print:
// lower case, place first, what was expected, what was found, what to do.

#ifndef DENDROLITH_TARGETS_SUPPORT_ERROR_H
#define DENDROLITH_TARGETS_SUPPORT_ERROR_H

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

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

// What a user should know although nothing failed. Import, compile and run all
// fill lists of them, which end in the program image and in result.json.

struct Warning {
  /// It names the kind, for programs that read results: "never-spikes". Each is
  /// explained in runtime/session/WARNINGS.md.
  std::string code;
  /// The place, as errors name it ("node 'lif1'", "layer 'fc2'", "input 'x'",
  /// a file); empty where the whole run is meant.
  std::string where;
  /// What is so, and what to do about it: lower case, without a full stop.
  std::string text;

  bool operator==(const Warning &other) const {
    return code == other.code && where == other.where && text == other.text;
  }
};
using Warnings = std::vector<Warning>;

/// The line that a person reads, without "warning: ".
inline std::string lineOf(const Warning &warning) {
  return (warning.where.empty() ? "" : warning.where + ": ") + warning.text +
         " [" + warning.code + "]";
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_ERROR_H
