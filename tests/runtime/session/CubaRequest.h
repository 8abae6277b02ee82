// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request to run two neurons on loihi1 over one sample of 16 steps, with a
// folder of its own that goes with the test.

#ifndef DENDROLITH_TESTS_RUNTIME_SESSION_CUBAREQUEST_H
#define DENDROLITH_TESTS_RUNTIME_SESSION_CUBAREQUEST_H

#include "runtime/session/Run.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith::session {

/// The error of a run, "" without one.
inline std::string errorOf(const RunRequest &request) {
  try {
    run(request);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

class CubaRequest : public ::testing::Test {
protected:
  CubaRequest()
      : folder(std::filesystem::temp_directory_path() /
               ("dendrolith-session-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
    request.path =
        DENDROLITH_SOURCE_DIR "/tests/compiler/pipelines/Inputs/cuba.mlir";
    request.model.compile.target = "loihi1";
    std::vector<double> x;
    for (int i = 0; i < 32; ++i)
      x.push_back(i % 3 == 0);
    request.inputs = {write("x.npy", Array::ofReals({16, 2}, x))};
    request.traces = "a:v";
  }
  ~CubaRequest() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string &name, const Array &array) const {
    std::string path = (folder / name).string();
    writeAside(path, formatNpy(array));
    return path;
  }

  std::filesystem::path folder;
  RunRequest request;
};

} // namespace dendrolith::session

#endif // DENDROLITH_TESTS_RUNTIME_SESSION_CUBAREQUEST_H
