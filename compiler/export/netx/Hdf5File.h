// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that writes HDF5.

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_HDF5FILE_H
#define DENDROLITH_COMPILER_EXPORT_NETX_HDF5FILE_H

#include "compiler/import/hdf5/Tree.h"

#include <string>

namespace dendrolith::lava {

/// Gives the bytes of a file with these groups and datasets. Integers are
/// written as 32-bit ones or, of 8 bytes, as such, other numbers as floats
/// where they have 4 bytes, else as doubles, texts with a fixed length; there
/// are no times and no attributes. Throws dendrolith::Error.
std::string hdf5Bytes(const hdf5::Node &tree);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_HDF5FILE_H
