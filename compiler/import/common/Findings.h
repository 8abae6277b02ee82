// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is wrong with a file, where an importer can look on after the first
// of it.

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_FINDINGS_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_FINDINGS_H

#include "targets/support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// Several errors as one, whose text is that of the first.
class Findings : public Error {
public:
  explicit Findings(std::vector<std::string> messages)
      : Error(messages.front()), messages(std::move(messages)) {}
  const std::vector<std::string> &all() const { return messages; }

private:
  std::vector<std::string> messages;
};

/// Collects errors of parts that do not depend on each other.
class Collector {
public:
  /// Returns whether `work` came through without an Error, which it keeps.
  template <typename Work> bool attempt(const Work &work) {
    try {
      work();
      return true;
    } catch (const Findings &several) {
      for (const std::string &message : several.all())
        keep(message);
    } catch (const Error &error) {
      keep(error.what());
    }
    return false;
  }
  bool isEmpty() const { return messages.empty(); }
  /// Throws Findings if there are any.
  void raise() const {
    if (!messages.empty())
      throw Findings(messages);
  }

private:
  /// A hostile file may have as many faults as nodes.
  void keep(const std::string &message) {
    if (messages.size() < 1000)
      messages.push_back(message);
  }
  std::vector<std::string> messages;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_FINDINGS_H
