// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An HDF5 file as plain data: what the rest of the importer sees. Nothing here
// knows the HDF5 library, which runs in a limited child only (Tree.cpp).

#ifndef DENDROLITH_COMPILER_IMPORT_HDF5_TREE_H
#define DENDROLITH_COMPILER_IMPORT_HDF5_TREE_H

#include "runtime/host/Frames.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::hdf5 {

/// A number's type in the file; values are handed over as double.
enum class NumberClass : uint8_t { Signed, Unsigned, Float };

struct Member;

/// A group, or a dataset of numbers or strings. Data is row-major; a scalar
/// dataset has an empty shape and one element.
struct Node {
  enum class Content : uint8_t { Group, Numbers, Strings };

  Content kind = Content::Group;
  uint32_t attributes = 0;     ///< HDF5 attributes on the object (not read)
  std::vector<Member> members; ///< groups: in byte order of the names
  std::vector<uint64_t> shape;
  NumberClass number = NumberClass::Float;
  uint8_t bytes = 0; ///< stored size of one number
  std::vector<double> values;
  std::vector<std::string> strings;

  /// Returns the member of that name, or null if there is none.
  const Node *find(const std::string &name) const;
  bool isFloat32() const { return number == NumberClass::Float && bytes == 4; }
};

struct Member {
  std::string name;
  Node node;
};

/// What a file may cost. The defaults let every plausible network pass.
struct Limits {
  uint64_t memoryBytes = uint64_t(4) << 30; ///< beyond what is mapped already
  uint32_t cpuSeconds = 60;
  uint32_t wallSeconds = 120;
  uint64_t elements = uint64_t(1) << 28; ///< numbers in the whole file
  uint64_t stringBytes = uint64_t(1) << 26;
  uint32_t objects = 1u << 18;
  uint32_t depth = 64;
};

/// Reads a whole file in a child process with limits on memory, processor time
/// and wall time. Throws dendrolith::Error: not a readable HDF5 file, a link
/// that leaves the file or reaches an object twice, an element type that is
/// neither number nor string, an unknown filter, or a limit exceeded.
Node readFile(const std::string &path, const Limits &limits = {});

// The tree in the child's stream of bytes, in pre-order: Walk.cpp writes it,
// this reads it.

/// Thrown where the tree exceeds a limit.
struct TooLarge {};

/// Decodes one tree and checks it against the limits, which the child is not
/// trusted to keep. Throws FrameFailure or TooLarge.
Node decodeTree(FrameReader &reader, const Limits &limits);

} // namespace dendrolith::hdf5

#endif // DENDROLITH_COMPILER_IMPORT_HDF5_TREE_H
