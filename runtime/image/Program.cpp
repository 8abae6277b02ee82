// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This writes images, small ones as one message and large ones in sections.

#include "runtime/image/Program.h"

#include "runtime/host/Files.h"
#include "runtime/image/OneMessage.h"
#include "runtime/image/ProgramFile.h"
#include "runtime/image/Sections.h"

using namespace dendrolith;

/// A message of so many bytes is written in sections, which can be read by
/// several threads and in part. Below it nothing is gained, and the file has
/// its message in one piece for whoever wants to look at it.
static constexpr size_t kLarge = size_t(16) << 20;

/// Writes a program that is valid. Returns the digest that stands for it.
static std::string write(const image::Program &program,
                         const sections::Sink &sink) {
  if (program.ByteSizeLong() >= kLarge)
    return sections::write(program, sink);
  return message::write(program, sink);
}

static std::string
inOneString(const std::function<std::string(const sections::Sink &)> &write) {
  std::string bytes;
  write([&](std::string_view more) { bytes += more; });
  return bytes;
}

std::string dendrolith::serialize(const image::Program &program) {
  validate(program);
  return inOneString([&](const auto &sink) { return write(program, sink); });
}

std::string dendrolith::serializeInSections(const image::Program &program) {
  validate(program);
  return inOneString(
      [&](const auto &sink) { return sections::write(program, sink); });
}

std::string dendrolith::digestOf(const image::Program &program) {
  return write(program, [](std::string_view) {});
}

void dendrolith::saveProgram(const image::Program &program,
                             const std::string &path) {
  validate(program);
  AtomicFile file(path);
  write(program, [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}
