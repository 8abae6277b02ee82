// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks (File.h) as `dend` networks.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_STUDY_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_STUDY_H

#include "compiler/import/common/Importer.h"

#include <string_view>

namespace dendrolith {

/// Imports the network in `bytes`, those of the file at `path`: input @in
/// (binary), population @lif of the fixed-function neuron with decay_u = 4095,
/// so that u is one step's input, and two sparse projections with delay 1.
/// There is no output: spikes are recorded instead, which costs no messages.
///
/// Neurons are numbered anew, by core and then as in the file, so that each
/// core holds a contiguous range; the population's attribute `numbers` has
/// their numbers in the file and `cores` where they lie. Inputs come from the
/// host, wherever the file puts them.
///
/// Throws dendrolith::Error as readNetwork() does, for two synapses of one
/// source and target, and where a potential could leave the 24 bits of the
/// chip's state: only then would the chip's integers differ from the network's.
ImportedModel importStudy(mlir::MLIRContext &context, std::string_view bytes,
                          const std::string &path);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_STUDY_H
