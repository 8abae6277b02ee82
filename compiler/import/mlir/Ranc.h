// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of RANC, a grid of crossbar cores (targets/ranc), in the files that
// its hardware loads: a folder with csram_000.mem (a line of bits a neuron) and
// tc_000.mem (a type an axon) for each core and, of a test, the packets that
// come from outside by tick (tb_num_inputs.txt, tb_input.txt).

#ifndef DENDROLITH_COMPILER_IMPORT_MLIR_RANC_H
#define DENDROLITH_COMPILER_IMPORT_MLIR_RANC_H

#include "compiler/import/common/Importer.h"

namespace dendrolith {

/// Whether a model is a folder of that kind.
bool isRanc(const std::string &path);

/// The files that it reads, sorted, and the SHA-256 of all. Throws Error.
std::vector<std::string> filesOfRanc(const std::string &path);
std::string digestOfRanc(const std::string &path);

/// Each core is a population, and so are the axons of each and of the output
/// bus, where two spikes of a tick count once. The files do not say how wide
/// the grid is: that is the number of columns with which all neurons send into
/// it, and to one place without neurons, the bus. Throws dendrolith::Error.
ImportedModel importRanc(mlir::MLIRContext &context, const std::string &path);

/// The packets, as one sample of each input that gets some; empty without any.
std::map<std::string, Samples> packetsOfRanc(const std::string &path);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_MLIR_RANC_H
