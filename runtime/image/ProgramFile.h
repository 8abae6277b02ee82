// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program image of which one reads only what one needs: who runs some of the
// cores reads the synapses of those alone, and what all cores send.

#ifndef DENDROLITH_RUNTIME_IMAGE_PROGRAMFILE_H
#define DENDROLITH_RUNTIME_IMAGE_PROGRAMFILE_H

#include "runtime/image/program.pb.h"
#include "targets/support/InputFile.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

/// Cores by their id, such as those of some chips. An empty one has them all.
using CoreSet = std::function<bool(uint32_t id)>;

class ProgramFile {
public:
  /// Opens an image and reads where its parts lie. Throws Error as
  /// loadProgram() does. What is no file of sections is read as a whole.
  explicit ProgramFile(const std::string &path);
  ~ProgramFile();
  ProgramFile(ProgramFile &&other) noexcept;

  /// What stands for the content, as digestOf() says it.
  const std::string &digest() const;

  /// How many bytes of synapses and in-axons each core has, by which cores can
  /// be dealt before they are read.
  struct CoreBytes {
    uint32_t id;
    uint64_t bytes;
  };
  const std::vector<CoreBytes> &cores() const;

  /// The chip that it is compiled for, which says what cores share a chip.
  std::string targetYaml() const;

  /// Reads and validates the program, once. All cores come with their groups
  /// and programs, but only those of `wanted` with synapses and in-axons; what
  /// lies in the sections of others is not read. The result is the same for any
  /// number of threads (0: one for each processor).
  image::Program read(const CoreSet &wanted = {}, unsigned threads = 1);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

/// Lets go of the synapses and in-axons of all cores that are not in `wanted`.
void dropMemory(image::Program &program, const CoreSet &wanted);

/// validate() for a program that lacks the synapses and in-axons of the cores
/// beside `wanted`: that these find what is sent to them is not checked. By
/// several threads, which say the same.
void validatePart(const image::Program &program, const CoreSet &wanted,
                  unsigned threads);

/// The bytes of a file of sections, whatever the size of the program (a small
/// one is written otherwise, Program.h). Throws Error as serialize() does.
std::string serializeInSections(const image::Program &program);

} // namespace dendrolith

namespace dendrolith::message {

// A small program image as a file: "DENDROLITH\n", the SHA-256 of the message
// in hex, a newline, the message, which has less than 2 GiB. The digest tells
// an altered or truncated file from one that another version wrote, before
// protobuf guesses at its fields. Large images are files of sections.

/// Takes the bytes of a file in their order.
using Sink = std::function<void(std::string_view)>;

/// Writes `program`, of less than 2 GiB. Returns the digest of the message.
std::string write(const image::Program &program, const Sink &sink);

/// The program of a file, without validating; `where` begins every message.
image::Program parse(std::string_view bytes, const std::string &where);
/// The same, read piece by piece. `digest` gets that of the header.
image::Program read(InputFile &file, std::string &digest);

} // namespace dendrolith::message

#endif // DENDROLITH_RUNTIME_IMAGE_PROGRAMFILE_H
