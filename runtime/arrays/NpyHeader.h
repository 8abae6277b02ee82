// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a .npy file: a Python dictionary literal, read by a parser for
// exactly that form and nothing more of Python.

#ifndef NEURITE_RUNTIME_ARRAYS_NPYHEADER_H
#define NEURITE_RUNTIME_ARRAYS_NPYHEADER_H

#include "runtime/arrays/Npy.h"

namespace neurite::npy {

/// How one element lies in the file.
struct ElementType {
  char type = 'f'; // b, i, u, f, c as in NumPy's type strings
  unsigned bytes = 8;
  bool bigEndian = false;
  Array::Kind kind() const;
};

/// Parses "<f8" and the like. Throws Error beginning with `where`, naming what
/// is wrong with objects, strings, dates and records.
ElementType parseType(const std::string &text, const std::string &where);

struct Header {
  ElementType type;
  std::string dtype; // as in the file
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
  uint64_t elements = 1; // product of the shape, at most kMaxArrayElements
  size_t dataBegin = 0;  // bytes before the elements
};

/// Reads the header of the file `bytes`.
Header parseHeader(std::string_view bytes, const std::string &where);

/// The bytes before the elements, format 1.0, padded to a multiple of 64.
std::string formatHeader(const std::string &dtype,
                         const std::vector<uint64_t> &shape);

} // namespace neurite::npy

#endif // NEURITE_RUNTIME_ARRAYS_NPYHEADER_H
