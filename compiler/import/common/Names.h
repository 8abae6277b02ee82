// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that an importer gives to what it makes.

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_NAMES_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_NAMES_H

#include <set>
#include <string>

namespace dendrolith {

/// The symbols of the network. Names from the file are taken first, so that a
/// name that is made up gives way to them.
class Names {
public:
  void take(const std::string &name) { taken.insert(name); }
  /// Gives the name itself or, if it is taken, with the first free number
  /// behind it.
  std::string fresh(const std::string &name) {
    std::string candidate = name;
    for (unsigned i = 1; !taken.insert(candidate).second; ++i)
      candidate = name + "_" + std::to_string(i);
    return candidate;
  }

private:
  std::set<std::string> taken;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_NAMES_H
