// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide neuron, one of whose sums runs over all its compartments, as parts
// that keep the compartments and a predictor that closes the sums.
//
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_DENDRITEPARTS_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_DENDRITEPARTS_H

#include "dialects/dend/Dend.h"

#include <string>

namespace dendrolith {

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
/// structure ops. If it cannot be divided, the result is empty and `why` says
/// what is in the way: no sum over compartments, a value of another length, an
/// output that depends on the tick's own sums, states that do not start at
/// zero.
std::optional<DendriteParts> divide(dend::PopulationOp population,
                                    std::string &why);

/// Sum `i` has one name as an output of a part and as a port of the predictor;
/// decision `i` has one as an output of the predictor and as a port of a part.
std::string sumName(unsigned i);
std::string decisionName(unsigned i);

/// Makes, in front of the wide model, the model of a part with `count` of its
/// compartments. Its ports are the vector ports, then the decisions; its
/// outputs are the vector outputs, then the sums.
dend::NeuronOp makePart(const DendriteParts &parts, int64_t count,
                        llvm::StringRef name);

/// Makes the model of the predictor. Its ports are the scalar ports, then the
/// sums; its outputs are the scalar outputs, then the decisions.
dend::NeuronOp makePredictor(const DendriteParts &parts, llvm::StringRef name);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_DENDRITEPARTS_H
