// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small program image as a file: "DENDROLITH\n", the SHA-256 of the message
// in hex, a newline, the message, which has less than 2 GiB. The digest tells
// an altered or truncated file from one that another version wrote, before
// protobuf guesses at its fields. Large images are files of sections.

#ifndef DENDROLITH_RUNTIME_IMAGE_ONEMESSAGE_H
#define DENDROLITH_RUNTIME_IMAGE_ONEMESSAGE_H

#include "runtime/image/program.pb.h"
#include "targets/support/InputFile.h"

#include <functional>
#include <string>
#include <string_view>

namespace dendrolith::message {

/// Takes the bytes of a file in their order.
using Sink = std::function<void(std::string_view)>;

/// Writes `program`, of less than 2 GiB. Returns the digest of the message.
std::string write(const image::Program &program, const Sink &sink);

/// The program of a file, without validating; `where` begins every message.
image::Program parse(std::string_view bytes, const std::string &where);
/// The same, read piece by piece. `digest` gets that of the header.
image::Program read(InputFile &file, std::string &digest);

} // namespace dendrolith::message

#endif // DENDROLITH_RUNTIME_IMAGE_ONEMESSAGE_H
