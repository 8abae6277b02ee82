// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter: runs a network in logical time and so defines what
// every op means. Slow and obvious; it shares nothing with the engines.
// dialects/dend/fast/Interpreter.h has a fast form that gives the same bits.
//
// Order of real additions. A port element is the sum, in this order, of
//   1. what a held port still holds (a port without `hold` starts at 0),
//   2. for each projection into the port, in the order of the ops, the sum of
//      what arrived for this tick: source ticks ascending, then source elements
//      ascending, zeros left out,
//   3. for each projection, in the order of the ops, its bias. A bias is added
//      at every update and not kept in a held port.
// Integers are added modulo 2^width, so their order does not show.
//
// Time. Delay d counts ticks of the slower of the two clocks. A faster source's
// ticks within one tick of the target add up; a faster target sees a value at
// its first tick within the slower tick. Held ports are cleared when the named
// clock ticks, and states with `reset @clock` are then set to their initial
// value: at the start of the update, and of every update if that clock is the
// faster one.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_INTERPRETER_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_INTERPRETER_H

#include "dialects/dend/reference/Connections.h"
#include "dialects/dend/reference/Frame.h"

#include <functional>
#include <memory>

namespace dendrolith::dend {

/// What the host gives at each root tick.
struct InputInfo {
  std::string name;
  std::vector<int64_t> shape;
  int64_t ticks; // of the input's clock per root tick
  SpikeType spike;

  /// Numbers per root tick: ticks * product of the shape.
  int64_t size() const;
};

/// What the host receives at each root tick.
struct OutputInfo {
  std::string name;
  std::vector<int64_t> shape; // of one tick
  int64_t ticks;              // of the population's clock per root tick
  bool probe;                 // a state, dequantised; else emitted spikes
  bool integer;               // spikes that are integers (not graded)
};

/// Values of the ticks of one root tick, (ticks, neurons * elements), as the
/// body has them: reals (complex as (re, im) pairs), or raw integers.
struct Signal {
  int64_t ticks = 0; // recorded so far
  bool isReal = true;
  unsigned bits = 64; // of each number
  std::vector<double> real;
  std::vector<int64_t> raw;
};

/// One update of a population, seen after its body ran and before its states
/// change: `frame` holds every value of the body by its SSA value (ports, old
/// states, op results; what `dend.yield` names are the new states).
struct Update {
  PopulationOp population;
  NeuronOp model;
  int64_t tick; // of the population's clock since reset()
  const Frame &frame;
};
using Observer = std::function<void(const Update &)>;

struct BuiltNetwork;

/// What the host sees of any interpreter.
class Interpreter {
public:
  /// The plain one, of a verified network, which must outlive it. What it
  /// refuses is a diagnostic on the op concerned:
  ///   * unbound or ill-shaped constants, and an `ssf` whose scale is not
  ///     positive;
  ///   * clocks that do not divide each other, and cycles without a delay;
  ///   * reals sent to fixed-point ports, and ops that are not defined on the
  ///     types at hand.
  static mlir::FailureOr<std::unique_ptr<Interpreter>>
  create(NetworkOp network, const Bindings &bindings = {});
  virtual ~Interpreter();

  const std::vector<InputInfo> &inputs() const;
  const std::vector<OutputInfo> &outputs() const;
  /// Ticks per root tick of a population's clock.
  int64_t ticks(llvm::StringRef population) const;

  /// Start of a sample: forgets what is under way and held, and sets every
  /// state except those with `reset never` to its initial value.
  void reset();

  /// One root tick. `values` gives each input by name: its ticks one after the
  /// other, each in shape order. Spikes without `scale` must be whole numbers
  /// in their range; with `scale` they are round-half-even(value * scale),
  /// clamped into it. Throws std::invalid_argument for a missing or unknown
  /// input, a wrong number of values, and values that are not finite or not in
  /// the range. The state is then unchanged.
  void tick(const std::map<std::string, std::vector<double>> &values);

  /// A `dend.output` after tick(): (ticks, shape); a probed state is divided by
  /// its population's `scale`, or worth 2^exponent per unit without one; real
  /// values are in the units of the model's file (NumberAttrs.h). The
  /// accessors throw std::invalid_argument for an unknown name.
  std::vector<double> output(llvm::StringRef name) const;
  /// What a population emitted; `output` may be empty if it has only one.
  const Signal &emission(llvm::StringRef population,
                         llvm::StringRef output = "") const;
  /// A state's new values.
  const Signal &state(llvm::StringRef population, llvm::StringRef state) const;

  /// Called at every update from now on; an empty function stops it.
  void observe(Observer observer);

protected:
  Interpreter();
  /// Another one in the same state.
  Interpreter(const Interpreter &other);

  /// To be called once, before all else. Diagnostics are those of create().
  mlir::LogicalResult build(NetworkOp network, const Bindings &bindings);
  /// Takes the synapses of the next projection.
  virtual void keepSynapses(Connections connections) = 0;
  /// Sends a source's value at its tick (since reset) along a projection.
  virtual void send(unsigned projection, int64_t sourceTick) = 0;
  /// What arrived, the body, the new states, and what leaves.
  virtual void update(unsigned population, int64_t tick) = 0;
  virtual void setState(unsigned population, unsigned state,
                        const PopulationValue &value);

  const std::unique_ptr<BuiltNetwork> net;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_INTERPRETER_H
