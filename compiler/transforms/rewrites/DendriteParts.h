// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide neuron, one of whose sums runs over all its compartments, as parts
// that keep the compartments and a predictor that closes the sums.

#ifndef NEURITE_COMPILER_TRANSFORMS_REWRITES_DENDRITEPARTS_H
#define NEURITE_COMPILER_TRANSFORMS_REWRITES_DENDRITEPARTS_H

#include "dialects/dend/Dend.h"

#include <string>

namespace neurite {

/// How the body of a neuron divides. Compartments meet in sums alone (dot,
/// reduce); what a sum decides comes back to them as scalars, one tick later:
/// part p applies the pending update at the head of its next tick, to the
/// inputs that it kept. Bits are those of the wide neuron, because a sum is
/// modular and the update is the same arithmetic on the same numbers.
struct DendriteParts {
  dend::NeuronOp model;
  int64_t compartments = 0;
  llvm::SmallVector<unsigned> vectorPorts, scalarPorts;
  llvm::SmallVector<unsigned> keptPorts; ///< vector ports that updates read
  llvm::SmallVector<unsigned> vectorStates, scalarStates;
  llvm::SmallVector<unsigned> vectorOutputs, scalarOutputs;
  llvm::SmallVector<mlir::Value> sums;      ///< over compartments, scalar
  llvm::SmallVector<mlir::Value> decisions; ///< scalars that compartments need
};

/// Reads the model of a population of one neuron in fixed point, without
/// structure ops. Empty, and `why` says what is in the way, if it cannot be
/// divided: no sum over compartments, a value of another length, an output that
/// depends on the tick's own sums, states that do not start at zero.
std::optional<DendriteParts> divide(dend::PopulationOp population,
                                    std::string &why);

/// Name of the output of a part, and port of the predictor, for sum `i`; and of
/// the output of the predictor, and port of a part, for decision `i`.
std::string sumName(unsigned i);
std::string decisionName(unsigned i);

/// `count` of the compartments: the vector ports, then the decisions; the
/// vector outputs, then the sums. In front of the wide model.
dend::NeuronOp makePart(const DendriteParts &parts, int64_t count,
                        llvm::StringRef name);

/// The scalar ports, then the sums; the scalar outputs, then the decisions.
dend::NeuronOp makePredictor(const DendriteParts &parts, llvm::StringRef name);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_REWRITES_DENDRITEPARTS_H
