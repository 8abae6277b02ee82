// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A population on its way into a process.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_NEURONS_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_NEURONS_H

#include "compiler/export/lava/StockNeurons.h"
#include "compiler/export/lava/Synapses.h"
#include "compiler/lava/Processes.h"

namespace dendrolith::lava {

struct Neurons {
  dend::PopulationOp op;
  Dims shape;                      // Lava's
  std::vector<uint32_t> order;     // our number of each neuron in Lava's order
  std::optional<CubaNumbers> cuba; // of a fixed-function neuron
  std::optional<NeuronForm> form;  // of another neuron that Lava has
  std::optional<Process> stock;    // after makeStock()
  std::string why;                 // it is no stock process
  unsigned unit = 0;               // a weight of 2^unit is 1 in Lava
  /// By port of another process: the unit that all weights into a port of more
  /// than 32 bits have in common, which the process puts back.
  std::map<std::string, unsigned> units;

  /// What the population may become, and its shape: (W, H, C) where a
  /// convolution among `wires` begins or ends, else a row.
  Neurons(dend::PopulationOp population, const std::vector<Wire> &wires);

  /// Chooses the stock process for a population that lags by `latency`; false,
  /// and `why`, if there is none.
  bool makeStock(const std::vector<Wire> &wires, int64_t latency);

  std::string name() { return op.getSymName().str(); }
  /// Whether the neurons are (W, H, C) in Lava, which a convolution wants.
  bool isPicture() const { return shape.size() == 3; }
  /// The port of the process behind a wire, and the port by which an output
  /// leaves.
  Receiver receiver(const Wire &wire);
  Sender sender(const std::string &output);
  /// The name of the process' variable that holds a state. Throws Error if it
  /// has none.
  std::string variable(const std::string &state);
  /// How many integer units a state has per 1.
  double unitsOf(const std::string &state);
};

/// Reads a constant of integers that the population names. Throws Error.
std::vector<int64_t> readIntegers(dend::PopulationOp population,
                                  mlir::Attribute symbol);

/// Makes dendrolith_lava's process for a population of the network without
/// structure ops, with the biases of projections into it; `start` steps late.
Process makePopulation(const Neurons &neurons, dend::PopulationOp expanded,
                       int64_t start);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_NEURONS_H
