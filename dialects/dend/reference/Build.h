// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a network ready to run, part by part. Each function reports what it
// refuses as a diagnostic on the op concerned.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_BUILD_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_BUILD_H

#include "dialects/dend/reference/Clocks.h"
#include "dialects/dend/reference/Connections.h"
#include "dialects/dend/reference/Interpreter.h"

namespace dendrolith::dend {

// A network made ready to run: what every interpreter of it holds.

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

/// Looks up symbols and clocks of one network while it is being built.
struct Context {
  NetworkOp op;
  const Bindings &bindings;
  llvm::StringMap<int64_t> clocks; // ticks per root tick

  /// Ticks per root tick of a clock that `user` names.
  mlir::FailureOr<int64_t> ticks(mlir::Operation *user,
                                 llvm::StringRef clock) const;
  /// How many updates on `own` ticks pass from one tick of a clock to the next;
  /// 1 if that clock is the faster one.
  mlir::FailureOr<int64_t> every(mlir::Operation *user, int64_t own,
                                 llvm::StringRef clock) const;
  mlir::FailureOr<Tensor> constant(mlir::Operation *user,
                                   llvm::StringRef name) const;
};

/// Population with its parameters, states and ports; appends its outputs to
/// `sources`. `index` is its number.
mlir::FailureOr<Population> buildPopulation(PopulationOp op, unsigned index,
                                            const Context &context,
                                            std::vector<Source> &sources);

/// Host input; appends itself to `sources`.
mlir::FailureOr<Input> buildInput(InputOp op, const Context &context,
                                  std::vector<Source> &sources);

/// Timing of a projection, refused where neither clock divides the other.
mlir::FailureOr<Timing> buildTiming(ProjectOp op, int64_t sourceTicks,
                                    int64_t targetTicks);

/// Refuses an `ssf` whose bound scale is not positive.
mlir::LogicalResult checkScales(const Population &population);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_BUILD_H
