// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network made ready to run: what every interpreter of it holds.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_BUILTNETWORK_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_BUILTNETWORK_H

#include "dialects/dend/reference/Clocks.h"
#include "dialects/dend/reference/Interpreter.h"
#include "dialects/dend/reference/Synapses.h"

namespace dendrolith::dend {

/// What emits: a host input, or one output of a population.
struct Source {
  std::string name; // of the input or the population
  int population;   // -1 for a host input
  std::string output;
  int64_t ticks;
  SpikeType spike;
  PopulationValue value; // of the current tick, one element per axon
};

/// Its synapses are with the interpreter, each of which has a form of its own.
struct Projection {
  ProjectOp op;
  unsigned source; // index of a Source
  Timing timing;
  Tensor bias; // of each target element; empty without one
  /// What is under way, by the tick of the slower clock at which it arrives.
  std::map<int64_t, Arrivals> arriving;
};

struct Port {
  PopulationValue sum; // what arrived since the port was cleared
  int64_t clearEvery;  // updates between clearings: 1 without `hold`
  std::vector<unsigned> projections; // into this port, in the order of the ops
};

struct State {
  std::string name;
  PopulationValue initial;
  int64_t resetEvery = 0; // updates between resets by a clock, 0: none
  bool never = false;     // kept over reset()
  Signal record;
};

struct Population {
  PopulationOp op;
  NeuronOp model;
  int64_t neurons, ticks;
  Frame frame;
  std::vector<Port> ports;
  std::vector<State> states;
  std::vector<unsigned> sources; // its outputs, as Sources
  std::vector<Signal> emissions;
  std::vector<unsigned> outgoing; // projections from any of its outputs
};

struct Input {
  InputInfo info;
  std::optional<double> scale;
  unsigned source;
  std::vector<unsigned> outgoing;
};

struct BuiltNetwork {
  std::vector<Input> inputs;
  std::vector<InputInfo> inputInfos;
  std::vector<OutputInfo> outputInfos;
  std::vector<OutputOp> outputOps;
  std::vector<Population> populations;
  std::vector<Source> sources;
  std::vector<Projection> projections;
  std::vector<Visit> order;
  int64_t rootTick = 0;
  Observer observer;

  /// Throws std::invalid_argument for an unknown name.
  const Population &population(llvm::StringRef name) const;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_BUILTNETWORK_H
