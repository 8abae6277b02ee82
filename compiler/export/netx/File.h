// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only writer of HDF5.

#ifndef NEURITE_COMPILER_EXPORT_NETX_FILE_H
#define NEURITE_COMPILER_EXPORT_NETX_FILE_H

#include "compiler/import/hdf5/Tree.h"

#include <string>

namespace neurite::lava {

/// The bytes of a file with these groups and datasets: integers as 32-bit ones,
/// other numbers as doubles, texts of fixed length; no times, no attributes.
/// Throws neurite::Error.
std::string hdf5Bytes(const hdf5::Node &tree);

} // namespace neurite::lava

#endif // NEURITE_COMPILER_EXPORT_NETX_FILE_H
