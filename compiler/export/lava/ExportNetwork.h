// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer network as processes of Lava.
//
// Lava: Intel's framework for neuromorphic computing,
// https://github.com/lava-nc/lava

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTNETWORK_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTNETWORK_H

#include "compiler/lava/lava.pb.h"
#include "dialects/dend/Dend.h"

namespace dendrolith::lava {

/// Populations become the Lava process that computes the same integers, others
/// `dendrolith_lava.population.Population` with their step body; with
/// `stockOnly` those are refused by name. Projections become synapse processes.
/// The outputs lag by their `latency` in steps (Retiming.h), and hold the
/// values of the same ticks.
///
/// Throws Error, naming population or projection: populations on a clock that
/// divides another, cycles shorter than their synapse layers, delays and sums
/// beyond Lava's, operations without an integer meaning.
Model exportNetwork(dend::NetworkOp network, bool stockOnly);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTNETWORK_H
