// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the values of a step body are while its code runs.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_PLACES_H
#define DENDROLITH_COMPILER_NATIVE_BODY_PLACES_H

#include "compiler/native/body/BodyOps.h"
#include "dialects/dend/fast/CompiledBody.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>
#include <vector>

namespace dendrolith::native::body {

/// Memories of a dend::BodyFunction, by the number of its argument.
enum Space : unsigned { Ports, States, Shared, Own, Emitted, Scratch, kSpaces };
/// The argument behind them.
constexpr unsigned kNeurons = kSpaces;

struct Place {
  /// Lazy values are not kept: who reads an element has it computed.
  enum class Kind { Memory, Registers, Lazy };
  Kind kind = Kind::Memory;
  Space space = Scratch;
  int64_t word = 0;    // of Memory, of a neuron
  int64_t columns = 0; // of a matrix that lies column by column; else 0
};

class Places {
public:
  /// Lanes are neurons side by side, or 1: then elements of a neuron are.
  Places(dend::NeuronOp model, int64_t lanes);

  /// What is unrolled, and what stays in registers: so many elements.
  int64_t few() const { return lanes == 1 ? 1 : 4; }

  const Place &operator[](mlir::Value value) const {
    return places.find(value)->second;
  }
  bool contains(mlir::Value value) const { return places.contains(value); }
  /// No update changes it, so that no code computes it.
  bool isFixed(mlir::Value value) const { return fixed.contains(value); }
  /// A parameter or a literal, which the interpreter has checked before
  /// anything runs.
  bool isGiven(mlir::Value value) const { return given.contains(value); }
  /// The old value of a state.
  mlir::Value oldOf(unsigned state) const { return olds[state]; }
  /// `to` stands for `from` from now on.
  void rename(mlir::Value from, mlir::Value to);
  /// Whether the value is computed where the state lies that it becomes.
  bool isInPlace(unsigned state) const { return inPlace[state]; }
  /// Words of scratch that an op needs beside its results, or that a state
  /// needs whose new value is what another one was.
  int64_t spareOf(mlir::Operation *op) const { return spare.lookup(op); }
  int64_t spareOf(unsigned state) const { return spareOfState[state]; }

  const int64_t lanes;
  std::array<int64_t, kSpaces> words = {}; // of a neuron
  std::vector<dend::CompiledBody::Fixed> shared, own;

private:
  dend::NeuronOp model; // read while places are chosen
  void layArguments();
  void layFixed();
  void layResults();
  bool isLazy(mlir::Value value) const;
  bool becomesInPlace(unsigned state) const;
  bool endsAt(mlir::OpOperand &use, mlir::Operation *last,
              unsigned result) const;
  int64_t take(Space space, int64_t count);

  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<mlir::Value, unsigned> fixed; // by value, its number
  llvm::DenseSet<mlir::Value> given;
  std::vector<mlir::Value> olds;
  std::vector<bool> inPlace;
  llvm::DenseMap<mlir::Operation *, int64_t> spare;
  std::vector<int64_t> spareOfState;
};

// What the patterns of a step body know of its code so far.

struct BodyState {
  BodyState(dend::NeuronOp model, int64_t lanes) : places(model, lanes) {}

  Places places;
  /// Where the words of the neurons of one turn of the loop begin.
  std::array<mlir::Value, kSpaces> memories;
  mlir::Value neuron; ///< the first of them, as i64
  /// Words of values that lie in registers.
  llvm::DenseMap<mlir::Value, std::vector<mlir::Value>> registers;
};

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_PLACES_H
