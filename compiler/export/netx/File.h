// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that writes HDF5.

#ifndef NEURITE_COMPILER_EXPORT_NETX_FILE_H
#define NEURITE_COMPILER_EXPORT_NETX_FILE_H

#include "compiler/import/hdf5/Tree.h"

#include <string>

namespace neurite::lava {

/// Gives the bytes of a file with these groups and datasets. Integers are
/// written as 32-bit ones, other numbers as doubles, texts with a fixed length;
/// there are no times and no attributes. Throws neurite::Error.
std::string hdf5Bytes(const hdf5::Node &tree);

} // namespace neurite::lava

#endif // NEURITE_COMPILER_EXPORT_NETX_FILE_H
