// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large program image as a file of sections: "DENDROLITH2\n", the sections,
// the index of them (sections.proto), and a last line that has the SHA-256 of
// the index in hex and its length in 16 hexadecimal digits. Each section is one
// protobuf message, which may have 2 GiB, and is written and read by itself, so
// that nobody holds a copy of the whole as bytes. The index has the digest of
// each, so that its own digest stands for the file, and a part that is read
// alone is checked like the whole.

#ifndef DENDROLITH_RUNTIME_IMAGE_SECTIONS_H
#define DENDROLITH_RUNTIME_IMAGE_SECTIONS_H

#include "runtime/image/ProgramFile.h"
#include "runtime/image/sections.pb.h"

#include <functional>
#include <string>
#include <string_view>

namespace dendrolith::sections {

/// How a file of sections begins.
constexpr std::string_view kMagic = "DENDROLITH2\n";

/// Takes the bytes of a file in their order.
using Sink = std::function<void(std::string_view)>;

/// Writes `program` in sections. Returns the digest of its index. Throws Error
/// where a section would have 2 GiB or more.
std::string write(const image::Program &program, const Sink &sink);

/// How the index has the digest of a section: 32 bytes.
std::string rawSha256(std::string_view bytes);

/// What stands behind the sections: the index and the last line.
std::string ending(const std::string &index);

/// The bytes of a file, wherever they are.
struct Source {
  std::string name; // which begins every message
  uint64_t size = 0;
  /// Reads `count` bytes from `offset` on; from several threads at a time.
  std::function<void(uint64_t offset, char *into, size_t count)> read;
};

/// The index of a file that begins with kMagic. It is untrusted, and so is
/// what it says: Error is thrown unless it is whole and its sections fill the
/// file.
image::Index readIndex(const Source &source, std::string &digest);

/// The program without its cores, and without validating.
image::Program readHead(const Source &source, const image::Index &index);

/// The program, without validating; cores beside `wanted` lack synapses and
/// in-axons. Throws Error for a section that is not what the index says.
image::Program read(const Source &source, const image::Index &index,
                    const CoreSet &wanted, unsigned threads);

} // namespace dendrolith::sections

#endif // DENDROLITH_RUNTIME_IMAGE_SECTIONS_H
