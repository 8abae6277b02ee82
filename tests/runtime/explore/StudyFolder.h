// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with a study in it, whose model is a file of any content.

#ifndef DENDROLITH_TESTS_RUNTIME_EXPLORE_STUDYFOLDER_H
#define DENDROLITH_TESTS_RUNTIME_EXPLORE_STUDYFOLDER_H

#include "runtime/explore/study/ReadStudy.h"
#include "tests/runtime/TestSupport.h"

#include <fstream>
#include <string>

namespace dendrolith::explore::test {

using dendrolith::test::errorOf;
using dendrolith::test::ScratchDirectory;

inline void write(const std::string &path, const std::string &text) {
  std::ofstream(path) << text;
}

/// A study of tiny chips; `rest` are lines behind models and target.
struct StudyFolder {
  explicit StudyFolder(const std::string &rest) {
    write(scratch.file("m.npz"), "a model");
    set(rest);
  }
  void set(const std::string &rest) const {
    write(file(), "name: test\n"
                  "models: [{name: m, model: m.npz}]\n"
                  "target: tiny\n" +
                      rest);
  }
  std::string file() const { return scratch.file("study.yaml"); }
  std::string store() const { return scratch.file("store"); }
  Study read() const { return readStudy(sourceOf(file())); }
  /// Without the folder, which differs.
  std::string error() const {
    const std::string message = errorOf([&] { read(); });
    const std::string folder = scratch.directory.string() + "/";
    return message.compare(0, folder.size(), folder) == 0
               ? message.substr(folder.size())
               : message;
  }
  ScratchDirectory scratch;
};

} // namespace dendrolith::explore::test

#endif // DENDROLITH_TESTS_RUNTIME_EXPLORE_STUDYFOLDER_H
