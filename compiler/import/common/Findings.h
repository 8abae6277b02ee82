// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is wrong with a file, where an importer can look on after the first
// of it.

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_FINDINGS_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_FINDINGS_H

#include "targets/support/Error.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// Several errors as one, whose text is that of the first.
class Findings : public Error {
public:
  explicit Findings(std::vector<std::string> messages)
      : Error(messages.front()), messages(std::move(messages)) {}
  explicit Findings(const std::string &message)
      : Error(message), messages{message} {}
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
  size_t size() const { return messages.size(); }
  /// Keeps a message that is new. A hostile file may have as many faults as
  /// nodes: what is beyond a number is counted.
  void keep(const std::string &message) {
    if (messages.size() == kMost)
      beyond += !known.count(message);
    else if (known.insert(message).second)
      messages.push_back(message);
  }
  /// All messages, and as the last how many more there were.
  std::vector<std::string> all() const {
    std::vector<std::string> texts = messages;
    if (beyond)
      texts.push_back("and " + std::to_string(beyond) +
                      " more; correct these first");
    return texts;
  }
  /// Throws Findings if there are any.
  void raise() const {
    if (!messages.empty())
      throw Findings(all());
  }

private:
  static constexpr size_t kMost = 1000;
  std::vector<std::string> messages;
  std::set<std::string> known;
  size_t beyond = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_FINDINGS_H
