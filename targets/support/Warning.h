// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user should know although nothing failed. Import, compile and run all
// fill lists of them, which end in the program image and in result.json.

#ifndef DENDROLITH_TARGETS_SUPPORT_WARNING_H
#define DENDROLITH_TARGETS_SUPPORT_WARNING_H

#include <string>
#include <vector>

namespace dendrolith {

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

#endif // DENDROLITH_TARGETS_SUPPORT_WARNING_H
