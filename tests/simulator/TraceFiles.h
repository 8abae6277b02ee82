// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces of a test that go into files without a name.

#ifndef DENDROLITH_TESTS_SIMULATOR_TRACEFILES_H
#define DENDROLITH_TESTS_SIMULATOR_TRACEFILES_H

#include "simulator/options/RunOptions.h"
#include "simulator/result/RunResult.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace dendrolith::test {

inline sim::TraceStore tracesInFiles() {
  return [](std::vector<sim::TraceData> &traces, uint64_t samples,
            uint64_t ticks) {
    for (sim::TraceData &trace : traces) {
      std::string name =
          (std::filesystem::temp_directory_path() / "dendrolith-trace.XXXXXX")
              .string();
      const int descriptor = ::mkstemp(name.data());
      ::unlink(name.c_str());
      trace.file = std::make_shared<ValueFile>(
          descriptor, trace.name,
          trace.wide ? ValueFile::ValueType::Int64
                     : ValueFile::ValueType::Int32,
          0, samples * ticks * trace.ticks * trace.size);
    }
  };
}

inline std::vector<int64_t> readOf(const sim::TraceData &trace) {
  std::vector<int64_t> values(trace.file->size());
  trace.file->get(0, values.data(), values.size());
  return values;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_TRACEFILES_H
