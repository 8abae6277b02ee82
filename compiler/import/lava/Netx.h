// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NetX files (.net), lava-dl's exchange format: HDF5 with one group per layer,
// read as lava.lib.dl.netx.hdf5.Network (0.6.0) reads them, with its default
// arguments. Where NetX would silently go on with something else than the file
// says, reading the file is an error.
//
// lava-dl, whose NetX this is: https://github.com/lava-nc/lava-dl

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_NETX_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_NETX_H

#include "compiler/import/hdf5/Tree.h"
#include "compiler/lava/lava.pb.h"
#include "targets/support/Error.h"

#include <string>
#include <vector>

namespace dendrolith::lava {

/// The processes that NetX builds, in its order: for layer N, its neurons
/// "layerN", its synapses "layerN_in" and perhaps "layerN_rec", or
/// "layerN_real" and "layerN_imag". Shapes and tensors are in Lava's order
/// (width, height, channel). There is one input, "input", and one output,
/// "output".
struct NetxNetwork {
  Model model;
  Warnings warnings;
};

/// What NetX is told beside the file: its arguments of these names.
struct NetxOptions {
  static constexpr const char *kFromInput = "input";
  uint64_t resetInterval = 0; ///< steps between two resets of a layer; 0: none
  uint64_t resetOffset = 0;   ///< of the first layer; each next one is a later
  /// (channel, height, width) of what a first convolution reads; empty: as its
  /// output has it, where that is one shape alone.
  std::vector<uint64_t> inputShape = {};
  /// A file for setBias(); empty: none. kFromInput: what the host sends.
  std::string inputBias = {};
};

/// Reads the file in a limited child. Throws dendrolith::Error: file, layer,
/// dataset, what was expected, what was found.
NetxNetwork readNetx(const std::string &path, const NetxOptions &options = {},
                     const hdf5::Limits &limits = {});

/// Does the same with a parsed file; `path` begins every message.
NetxNetwork readNetx(const hdf5::Node &tree, const std::string &path,
                     const NetxOptions &options = {});

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_NETX_H
