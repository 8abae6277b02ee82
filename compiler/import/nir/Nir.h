// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NIR files as `dend` networks.
//
// NIR: J. E. Pedersen et al., Neuromorphic intermediate representation: A
// unified instruction set for interoperable brain-inspired computing, Nature
// Communications 15, 8122, 2024, https://doi.org/10.1038/s41467-024-52259-9

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_NIR_H
#define DENDROLITH_COMPILER_IMPORT_NIR_NIR_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/nir/Options.h"

namespace dendrolith {

/// Imports a NIR file (HDF5) as a float network on one clock: a population for
/// each neuron and Threshold node, named as in the file, with port "I", states
/// "i" and "v", and output "s" (spikes) or "v" (graded); a projection for each
/// chain of linear nodes between two populations; a read-out population for an
/// Output that a population does not feed directly. Throws dendrolith::Error
/// naming file, node and reason.
ImportedModel importNir(mlir::MLIRContext &context, const std::string &path,
                        const nir::NirOptions &options);
/// The same of a file that is read already; `path` is for messages and the
/// network's name.
ImportedModel importNir(mlir::MLIRContext &context, const std::string &path,
                        hdf5::Node tree, const nir::NirOptions &options);

/// The network of a file as it is understood with these options, as a NIR file
/// that leaves nothing open (Explicit.h). Throws dendrolith::Error.
hdf5::Node explicitNir(const std::string &path, const ImportOptions &given);

/// .nir, with the options of nir/Options.h.
Importer nirImporter();

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_NIR_NIR_H
