// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter in a fast form, which calibration and the float engine run:
// it gives the bits of the reference interpreter, dend::Interpreter::create(),
// its plain twin. What is shared with that is what has no speed: how a network
// is built and refused, its clocks, which source is joined to which target,
// what the host gives and sees, and ops without a fast form.

#ifndef DENDROLITH_DIALECTS_DEND_FAST_INTERPRETER_H
#define DENDROLITH_DIALECTS_DEND_FAST_INTERPRETER_H

#include "dialects/dend/fast/CompiledBody.h"
#include "dialects/dend/fast/Synapses.h"
#include "dialects/dend/reference/Build.h"

#include <set>
#include <utility>

namespace dendrolith::dend::fast {

class Interpreter final : public dend::Interpreter {
public:
  static mlir::FailureOr<std::unique_ptr<Interpreter>>
  create(NetworkOp network, const Bindings &bindings = {});

  /// Another one of the same network, in the same state. Synapses, most of what
  /// it takes to make one and to hold it, are shared; each may run in a thread
  /// of its own.
  std::unique_ptr<Interpreter> copy() const;

  /// From now on output(), emission() and state() have nothing to tell, which
  /// saves copies of all states at every update.
  void recordNothing() { records = false; }
  /// From now on state() tells only of these (population, state), and of those
  /// that are outputs.
  void recordStates(const std::set<std::pair<std::string, std::string>> &some);

  /// Lets machine code update the populations that are worth it, which an
  /// observer then does not see. Call it before the first tick.
  void compile(const BodyCompilation &compilation);

private:
  /// What a population has here beside its Population.
  struct UpdateStorage {
    struct NextState {
      PopulationValue value;
      bool isAlone = false; // no other state takes the value it becomes
      bool records = true;
    };
    std::vector<NextState> next; // of each state
    /// Where there is machine code, states live in it, and the frame holds what
    /// no update changes.
    std::optional<CompiledUpdate> compiled;
  };

  Interpreter() = default;
  Interpreter(const Interpreter &) = default;

  void keepSynapses(Connections connections) override;
  void send(unsigned projection, int64_t sourceTick) override;
  void update(unsigned population, int64_t tick) override;
  void setState(unsigned population, unsigned state,
                const PopulationValue &value) override;
  void readPort(Population &population, unsigned index, int64_t tick);
  void emit(Population &population, const UpdateStorage &own);
  void interpret(Population &population, UpdateStorage &own, int64_t tick);
  void runCode(Population &population, UpdateStorage &own);

  std::vector<std::shared_ptr<const Synapses>> synapses; // of each projection
  std::vector<std::vector<Arrivals>> spare; // the same: storage to use again
  std::vector<UpdateStorage> updates;       // of each population
  bool records = true;
};

} // namespace dendrolith::dend::fast

#endif // DENDROLITH_DIALECTS_DEND_FAST_INTERPRETER_H
