// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network made ready to run: what Interpreter holds.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_NETWORK_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_NETWORK_H

#include "dialects/dend/fast/CompiledBody.h"
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
  Lanes value; // of the current tick, one element per axon
};

struct Projection {
  ProjectOp op;
  unsigned source; // index of a Source
  Timing timing;
  std::shared_ptr<const Synapses> synapses; // of all copies of the network
  /// What is under way, by the tick of the slower clock at which it arrives.
  std::map<int64_t, Arrivals> arriving;
  std::vector<Arrivals> spare; // storage to use again
};

struct Port {
  Lanes sum;          // what arrived since the port was cleared
  int64_t clearEvery; // updates between clearings: 1 without `hold`
  std::vector<unsigned> projections; // into this port, in the order of the ops
};

struct State {
  std::string name;
  Lanes initial, next;
  int64_t resetEvery = 0; // updates between resets by a clock, 0: none
  bool never = false;     // kept over reset()
  bool alone = false; // no other state takes the value that becomes this one
  bool records = true;
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
  /// Where there is machine code, states live in it, and the frame holds what
  /// no update changes.
  std::optional<CompiledUpdate> compiled;

  void setState(unsigned state, const Lanes &value);
};

struct Input {
  InputInfo info;
  std::optional<double> scale;
  unsigned source;
  std::vector<unsigned> outgoing;
};

struct Interpreter::Network {
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
  bool records = true; // what output(), emission() and state() tell

  const Population &population(llvm::StringRef name) const;
  /// Sends a source's value at its tick (since reset) along a projection.
  void send(Projection &projection, int64_t sourceTick);
  /// Ports and states of an update, its body, its emissions.
  void update(Population &population, int64_t tick);
  void readPort(Population &population, unsigned port, int64_t tick);
  void emit(Population &population);
  void updateInterpreted(Population &population, int64_t tick);
  void updateCompiled(Population &population);
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_NETWORK_H
