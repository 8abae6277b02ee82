// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NetX files (.net) that stock lava-dl (0.6.0) loads.
//
// lava-dl, whose NetX this is: https://github.com/lava-nc/lava-dl

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_NETX_H
#define DENDROLITH_COMPILER_EXPORT_NETX_NETX_H

#include "compiler/import/hdf5/Tree.h"
#include "compiler/lava/lava.pb.h"

#include <optional>
#include <string>

namespace dendrolith::lava {

struct NetxFile {
  hdf5::Node tree; ///< the groups and datasets
  /// The `reset_offset` that a reader of the file has to give, with a
  /// `reset_interval` longer than a sample: layers have biases, which NetX else
  /// applies in the steps before their first input.
  std::optional<unsigned> resetOffset;
};

/// Gives the file: one layer per population of the
/// chain, with an input layer before and flatten layers where axes are given
/// up. Throws dendrolith::Error that names the process where NetX has no layer
/// for it, or would load other numbers: branches, other classes, weights that
/// it changes (NetxWeights.h), exponents that it sets itself.
NetxFile netxFile(const Model &model);

/// Writes what netxFile() gives as an HDF5 file, aside first and then renamed.
/// Its bytes depend on the model alone. Gives the offset of the reset that it
/// asks for.
std::optional<unsigned> writeNetx(const Model &model, const std::string &path);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_NETX_H
