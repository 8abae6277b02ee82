// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a .npy file: a Python dictionary literal, read by a parser for
// exactly that form and nothing more of Python.

#ifndef DENDROLITH_RUNTIME_ARRAYS_NPYHEADER_H
#define DENDROLITH_RUNTIME_ARRAYS_NPYHEADER_H

#include "runtime/arrays/Npy.h"
#include "targets/support/InputFile.h"

namespace dendrolith::npy {

/// How one element lies in the file.
struct ElementType {
  char type = 'f'; // b, i, u, f, c as in NumPy's type strings
  unsigned bytes = 8;
  bool bigEndian = false;
  Array::NumberKind kind() const;
};

/// Parses "<f8" and the like. Throws Error beginning with `where`, naming what
/// is wrong with objects, strings, dates and records.
ElementType parseType(const std::string &text, const std::string &where);

struct Header {
  ElementType type;
  std::string dtype; // as in the file
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
  uint64_t elements = 1; // product of the shape
  size_t dataBegin = 0;  // bytes before the elements
};

/// No header is longer, with what precedes it, and no file that is read.
constexpr uint64_t kMaxHead = uint64_t(1) << 17;
constexpr uint64_t kMaxFile = 16 * kMaxArrayElements + kMaxHead;

/// Reads the header of the file that begins with `bytes`, the first kMaxHead of
/// it or all. More elements than `most` are refused.
Header parseHeader(std::string_view bytes, const std::string &where,
                   uint64_t most = kMaxArrayElements);

/// parseHeader() and checkSize() of a file, of which no more is read. Its size
/// bounds the elements: whoever decodes them into wider ones asks for fewer.
Header readHeader(const InputFile &file);

/// Throws Error unless a file of so many bytes holds the elements and no more.
/// It is asked before any memory is taken: a header could claim gigabytes.
void checkSize(const Header &header, uint64_t fileBytes,
               const std::string &where);

/// The bytes before the elements, format 1.0, padded to a multiple of 64.
std::string formatHeader(const std::string &dtype,
                         const std::vector<uint64_t> &shape);

} // namespace dendrolith::npy

#endif // DENDROLITH_RUNTIME_ARRAYS_NPYHEADER_H
