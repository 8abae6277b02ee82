// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/image/Program.cpp, runtime/validate/ValidateProgram.cpp.
// The message of a program image, behind a header with its true check sum. What
// validate() accepts is written again, as one message and in sections,
// described and run for a few ticks. What begins like a file of sections is
// read as one, once its digests are made true.

#include "runtime/image/Program.h"
#include "runtime/image/ProgramFile.h"
#include "tests/fuzz/SmallProgram.h"

using namespace dendrolith;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string bytes =
      fuzz::sealed(std::string(reinterpret_cast<const char *>(data), size));
  image::Program program;
  if (!fuzz::accepted([&] { program = parseProgram(bytes, "fuzz.dlp"); }))
    return -1;
  const std::string parts = serializeInSections(program);
  fuzz::require(serializeInSections(parseProgram(parts, "parts.dlp")) == parts,
                "written in sections and read back, the image is another");
  std::string written = serialize(program);
  fuzz::require(serialize(parseProgram(written, "written.dlp")) == written,
                "written and read back, the image is another");
  fuzz::accepted([&] {
    const auto inputs = fuzz::inputsOf(program);
    if (!inputs)
      return;
    describeProgram(program);
    sim::runFunctional(program, fuzz::targetOf(program), *inputs, {});
  });
  return 0;
}
