// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree in the child's stream of bytes, in pre-order: Walk.cpp writes it,
// this reads it.

#ifndef DENDROLITH_COMPILER_IMPORT_HDF5_WIRE_H
#define DENDROLITH_COMPILER_IMPORT_HDF5_WIRE_H

#include "compiler/import/hdf5/Tree.h"
#include "runtime/host/Frames.h"

namespace dendrolith::hdf5 {

/// Thrown where the tree exceeds a limit.
struct TooLarge {};

/// Decodes one tree and checks it against the limits, which the child is not
/// trusted to keep. Throws FrameFailure or TooLarge.
Node decodeTree(FrameReader &reader, const Limits &limits);

} // namespace dendrolith::hdf5

#endif // DENDROLITH_COMPILER_IMPORT_HDF5_WIRE_H
