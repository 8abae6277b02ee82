// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network as it was understood, as a NIR file that leaves nothing open.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_EXPLICIT_H
#define DENDROLITH_COMPILER_IMPORT_NIR_EXPLICIT_H

#include "compiler/import/nir/Dynamics.h"

namespace dendrolith::nir {

/// The file's graph with its neurons in NIR's own terms: tau, r, w_in and
/// v_leak of which a step gives the constants that run, v_reset where it is
/// taken, and for each neuron a number. What NIR has no field for, such as a
/// reset by subtraction, is metadata: "dt", "import" (keys of it, of
/// the graph or of a node), "v_init" and "read_as". Throws dendrolith::Error
/// for a preset's rule that neither can say.
hdf5::Node explicitTree(const Graph &graph, const Policy &policy);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_EXPLICIT_H
