// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the runtime tests: expected errors, and a directory of one's own.

#ifndef DENDROLITH_TESTS_RUNTIME_TESTSUPPORT_H
#define DENDROLITH_TESTS_RUNTIME_TESTSUPPORT_H

#include "targets/support/Error.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace dendrolith::test {

/// The message of the Error that `work` throws; fails the test if none.
template <typename Work> std::string errorOf(Work work) {
  try {
    work();
  } catch (const Error &error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an Error";
  return "";
}

/// A fresh directory, removed with everything in it.
class ScratchDirectory {
public:
  ScratchDirectory() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "dendrolith-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      ADD_FAILURE() << "no temporary directory";
    directory = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  }
  std::string file(const std::string &name) const {
    return (directory / name).string();
  }
  size_t entries() const {
    return std::distance(std::filesystem::directory_iterator(directory),
                         std::filesystem::directory_iterator());
  }
  std::filesystem::path directory;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_RUNTIME_TESTSUPPORT_H
