// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every fuzz target asks of a reader: it takes the bytes, or it throws one
// dendrolith::Error whose message is one printable line. Anything else (another
// exception, a failed requirement, a sanitizer's report) is a finding.

#ifndef DENDROLITH_TESTS_FUZZ_FUZZ_H
#define DENDROLITH_TESTS_FUZZ_FUZZ_H

#include "targets/support/Error.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// One target per executable. Returns 0 when the bytes were read and -1 when
/// they were refused, which libFuzzer then keeps out of its corpus only if it
/// is told to; Replay.cpp counts both.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace dendrolith::fuzz {

/// Ends the process with the reason, as libFuzzer expects of a finding.
inline void require(bool holds, const std::string &what) {
  if (holds)
    return;
  std::fprintf(stderr, "finding: %s\n", what.c_str());
  std::abort();
}

/// Calls `read`; false if it threw Error.
template <typename Read> bool accepted(Read read) {
  try {
    read();
    return true;
  } catch (const Error &error) {
    std::string message = error.what();
    require(!message.empty(), "an error without a message");
    for (unsigned char c : message)
      require(c >= 0x20 && c != 0x7f, "a control character in: " + message);
    return false;
  }
}

} // namespace dendrolith::fuzz

#endif // DENDROLITH_TESTS_FUZZ_FUZZ_H
