// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter: runs a network in logical time and so defines what
// every op means. Slow and obvious; it shares nothing with the engines.
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
// its first tick within the slower tick. Held ports are cleared, and states
// with `reset @clock` set to their initial value, at the start of the update
// with which the named clock ticks (every update, if that clock is faster).

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_INTERPRETER_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_INTERPRETER_H

#include "dialects/dend/fast/CompiledBody.h"
#include "dialects/dend/reference/Lanes.h"

#include <functional>
#include <memory>
#include <set>
#include <utility>

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

class Interpreter {
public:
  /// Prepares a verified network. Reports as diagnostics on the op concerned:
  /// unbound or ill-shaped constants, clocks that do not divide each other,
  /// zero-delay cycles (by the names of the populations), `ssf` with a scale
  /// that is not positive, reals sent to fixed-point ports, ops that are not
  /// defined on the types at hand. The network must outlive the interpreter.
  static mlir::FailureOr<std::unique_ptr<Interpreter>>
  create(NetworkOp network, const Bindings &bindings = {});
  ~Interpreter();

  /// Another one of the same network, in the same state. Synapses, most of what
  /// it takes to make one and to hold it, are shared; each may run in a thread
  /// of its own.
  std::unique_ptr<Interpreter> copy() const;

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
  /// values are in the units of the model's file (UnitsAttr.h). The
  /// accessors throw std::invalid_argument for an unknown name.
  std::vector<double> output(llvm::StringRef name) const;
  /// What a population emitted; `output` may be empty if it has only one.
  const Signal &emission(llvm::StringRef population,
                         llvm::StringRef output = "") const;
  /// A state's new values.
  const Signal &state(llvm::StringRef population, llvm::StringRef state) const;

  /// From now on output(), emission() and state() have nothing to tell, which
  /// saves copies of all states at every update.
  void recordNothing();
  /// From now on state() tells only of these (population, state), and of those
  /// that are outputs.
  void recordStates(const std::set<std::pair<std::string, std::string>> &some);

  /// Called at every update from now on; an empty function stops it. An
  /// observer sees no population that has machine code.
  void observe(Observer observer);

  /// Lets machine code update the populations that are worth it. Every result
  /// is the same, to the bit. Call it before the first tick.
  void compile(const BodyCompilation &compilation);

private:
  struct Network;
  explicit Interpreter(std::unique_ptr<Network> network);
  std::unique_ptr<Network> net;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_INTERPRETER_H
