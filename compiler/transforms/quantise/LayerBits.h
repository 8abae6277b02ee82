// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits by layer: what was asked for, as attributes that the quantiser reads.
// `dend.weight_bits` of a projection also outlives quantising, because synapse
// lists are stored so narrow. `dend.state_bits` belongs to a population,
// `dend.input_bits` to an input.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERBITS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERBITS_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// The projections that have weights, in the order of the network.
std::vector<dend::ProjectOp> weightedProjections(dend::NetworkOp network);

/// How users name a projection: by its target where no other one with weights
/// leads there, else "source->target".
std::string nameOfProjection(dend::ProjectOp project);

/// Records the bits that `asked` gives to weights: "4" to all, "8,4,4" to each
/// projection in order, "L1=4,x->L0=6" by name, where a population stands for
/// all projections into it. Fails with a diagnostic on a name or number of
/// names that does not belong to the network, and on bits that the chip's
/// mantissas or its synapse lists have not; also where a model's own attribute
/// says so.
mlir::LogicalResult setWeightBits(dend::NetworkOp network,
                                  llvm::StringRef asked, const Target &chip);

/// The same for the states of populations that run as programs.
mlir::LogicalResult setStateBits(dend::NetworkOp network, llvm::StringRef asked,
                                 const Target &chip);

/// The same for the integers that real-valued inputs become, sign included.
mlir::LogicalResult setInputBits(dend::NetworkOp network,
                                 llvm::StringRef asked);
constexpr uint64_t kMostInputBits = 24;

/// What was asked for.
std::optional<uint64_t> weightBitsOf(dend::ProjectOp project);
std::optional<uint64_t> stateBitsOf(dend::PopulationOp population);
std::optional<uint64_t> inputBitsOf(dend::InputOp input);

/// Fails with a diagnostic where weights of both signs have no bit left beside
/// the sign.
mlir::LogicalResult checkSigns(dend::ProjectOp project, bool mixed,
                               const NumberFormats &formats);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERBITS_H
