// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step bodies of reals as machine code: what the interpreter asks of a compiler
// of bodies, and how it runs what it gets. The compiler itself is
// compiler/native/body.
//
// The plain twin is the reference interpreter, dend::evaluateOp() for each op
// of the body; dendrolith-body-jit-tests hold both equal over random and
// shipped networks.

#ifndef DENDROLITH_DIALECTS_DEND_FAST_COMPILEDBODY_H
#define DENDROLITH_DIALECTS_DEND_FAST_COMPILEDBODY_H

#include "dialects/dend/reference/Frame.h"

#include <memory>
#include <vector>

namespace dendrolith::dend {

/// Updates all neurons of a population. A memory has words of 64 bits: a real,
/// two for a complex number, or an integer. Some neurons, the lanes, lie side
/// by side in it: word w of neuron n of a memory with W words of each neuron is
/// at (n / lanes * W + w) * lanes + n % lanes. PopulationValue behind the last
/// neuron are updated, too, which nobody sees.
///   ports, states  of the model, in its order; new states replace old ones
///   shared         what is the same at all updates and for all neurons, once
///   own            what is the same at all updates of a neuron
///   emitted        what the body emits, in its order
///   scratch        CompiledBody::scratch words
using BodyFunction = void (*)(const double *ports, double *states,
                              const double *shared, const double *own,
                              double *emitted, double *scratch,
                              int64_t neurons);

/// The machine code of a body, which others like it may share.
struct CompiledBody {
  /// A value that no update changes, by its index in bodyValues().
  struct Fixed {
    unsigned value;
    int64_t columns = 0; // of a matrix that lies column by column; else 0
  };

  BodyFunction function = nullptr;
  int64_t lanes = 1, scratch = 0;
  std::vector<Fixed> shared, own; // in the order of their words
  std::shared_ptr<void> code;     // keeps the function in memory
};

/// On what a value of a body depends: on constants of all neurons, on those of
/// its own neuron, or on what arrives and what was before.
enum class Depends { OnShared, OnOwn, OnState };
/// By index in bodyValues(). What stands in a `when` is as if it stood alone.
std::vector<Depends> dependenciesOf(NeuronOp model);

/// Puts apply(function, x) in place of each of `count` numbers: what machine
/// code calls for a function that processors do not have.
using FunctionInPlace = void (*)(double *numbers, int64_t count);
FunctionInPlace inPlace(Function function);

/// Makes machine code for this processor.
class BodyCompiler {
public:
  virtual ~BodyCompiler() = default;
  /// Null if the body of the model is none that it compiles.
  virtual std::shared_ptr<const CompiledBody> compile(NeuronOp model,
                                                      int64_t neurons) = 0;
};

/// A compiler, and for which bodies the interpreter asks it.
struct BodyCompilation {
  BodyCompiler *compiler = nullptr;
  bool always = false;    // else where interpreting takes long
  uint64_t rootTicks = 0; // of the whole run
};

/// Whether interpreting a body so many times takes long enough for machine code
/// to be made of it. Ops and elements decide, never a clock.
bool isWorthCompiling(NeuronOp model, int64_t neurons, double updates);

/// A body with its memories.
class CompiledUpdate {
public:
  /// The frame holds parameters and literals.
  CompiledUpdate(std::shared_ptr<const CompiledBody> body, NeuronOp model,
                 Frame &frame);

  void setPort(unsigned port, const PopulationValue &value);
  void setState(unsigned state, const PopulationValue &value);
  void run();
  void getState(unsigned state, PopulationValue &value) const;
  void getEmitted(unsigned output, PopulationValue &value) const;

private:
  class Memory {
  public:
    /// A memory of so many rows, each of `lanes` neurons side by side.
    void resize(int64_t rows, int64_t lanes);
    /// The next value has this type.
    void add(mlir::Type type);
    void write(unsigned value, const PopulationValue &from, int64_t neurons);
    void read(unsigned value, PopulationValue &to, int64_t neurons) const;
    double *data() { return words.data(); }

  private:
    bool isOnePiece(int64_t size, int64_t neurons) const;
    template <typename F> void forWords(unsigned value, int64_t n, F f) const;

    std::vector<double> words;
    std::vector<int64_t> first; // word of each value, and their end
    int64_t lanes = 1, each = 0;
  };

  std::shared_ptr<const CompiledBody> body;
  int64_t neurons;
  Memory ports, states, shared, own, emitted;
  std::vector<double> scratch;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_FAST_COMPILEDBODY_H
