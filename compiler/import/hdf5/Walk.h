// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only user of the HDF5 library; it runs in the limited child process.

#ifndef DENDROLITH_COMPILER_IMPORT_HDF5_WALK_H
#define DENDROLITH_COMPILER_IMPORT_HDF5_WALK_H

#include "compiler/import/hdf5/Tree.h"
#include "runtime/host/Frames.h"

namespace dendrolith::hdf5 {

/// Walks the file and sends every group and dataset in name order. Throws
/// std::runtime_error with a reason that names the object.
void sendFile(const std::string &path, const Limits &limits, FrameWriter &out);

} // namespace dendrolith::hdf5

#endif // DENDROLITH_COMPILER_IMPORT_HDF5_WALK_H
