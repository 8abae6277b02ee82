// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file around the message. The digest tells an altered or truncated file
// from one that another version wrote, before protobuf guesses at its fields.

#include "runtime/Program.h"

#include "runtime/Files.h"
#include "targets/Error.h"
#include "targets/Sha256.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <limits>

using namespace neurite;
namespace io = google::protobuf::io;

static constexpr std::string_view kMagic = "NEURITE\n";
static constexpr size_t kDigestSize = 64;
static constexpr size_t kHeaderSize = kMagic.size() + kDigestSize + 1;
/// Protobuf counts bytes in an int.
static constexpr size_t kMaxMessage = std::numeric_limits<int>::max();

static std::string messageOf(const image::Program &program) {
  size_t size = program.ByteSizeLong();
  if (size > kMaxMessage - kHeaderSize)
    throw Error(fmt::format("the program image takes {} bytes, expected less "
                            "than 2 GiB; use a smaller model or share weights",
                            size));
  std::string message;
  message.reserve(size);
  io::StringOutputStream stream(&message);
  io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  program.SerializeToCodedStream(&coded);
  coded.Trim();
  return message;
}

std::string neurite::serialize(const image::Program &program) {
  validate(program);
  std::string message = messageOf(program);
  std::string bytes(kMagic);
  bytes.reserve(kHeaderSize + message.size());
  bytes += sha256(message);
  bytes += '\n';
  bytes += message;
  return bytes;
}

std::string neurite::digestOf(const image::Program &program) {
  return sha256(messageOf(program));
}

/// The message within the file's bytes, its digest checked.
static std::string_view unwrap(std::string_view bytes,
                               const std::string &where) {
  std::string_view found = bytes.substr(0, kMagic.size());
  if (found.empty())
    throw Error(where + ": expected a program image, found an empty file");
  if (found != kMagic.substr(0, found.size()))
    throw Error(where + ": not a program image (expected the signature "
                        "'NEURITE'); compile the model first");
  if (bytes.size() < kHeaderSize)
    throw Error(fmt::format("{}: truncated program image: expected a header "
                            "of {} bytes, found {}; copy or compile it again",
                            where, kHeaderSize, bytes.size()));
  std::string_view digest = bytes.substr(kMagic.size(), kDigestSize);
  std::string_view message = bytes.substr(kHeaderSize);
  if (bytes[kHeaderSize - 1] != '\n' || sha256(message) != digest)
    throw Error(where + ": truncated or altered program image: its content "
                        "does not have the SHA-256 of its header; copy or "
                        "compile it again");
  return message;
}

static image::Program parseMessage(std::string_view message,
                                   const std::string &where) {
  // Protobuf would print its own view of malformed bytes.
  google::protobuf::LogSilencer silencer;
  image::Program program;
  if (!program.ParseFromArray(message.data(), static_cast<int>(message.size())))
    throw Error(where + ": malformed program image: the content is not a "
                        "program message; recompile the model");
  return program;
}

static void validateAt(const image::Program &program,
                       const std::string &where) {
  try {
    validate(program);
  } catch (const Error &error) {
    throw Error(
        fmt::format("{}: {}; recompile the model", where, error.what()));
  }
}

image::Program neurite::parseProgram(std::string_view bytes,
                                     const std::string &where) {
  if (bytes.size() > kMaxMessage)
    throw Error(fmt::format("{}: expected a program image of less than 2 GiB, "
                            "found {} bytes",
                            where, bytes.size()));
  image::Program program = parseMessage(unwrap(bytes, where), where);
  validateAt(program, where);
  return program;
}

image::Program neurite::loadProgram(const std::string &path,
                                    std::string *digest) {
  image::Program program;
  {
    std::string bytes = readFile(path, kMaxMessage);
    program = parseMessage(unwrap(bytes, path), path);
    if (digest)
      *digest = bytes.substr(kMagic.size(), kDigestSize);
  }
  // By now the program is in memory once.
  validateAt(program, path);
  return program;
}

void neurite::saveProgram(const image::Program &program,
                          const std::string &path) {
  writeAside(path, serialize(program));
}
