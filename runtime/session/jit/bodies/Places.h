// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the values of a step body are while its code runs.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_BODIES_PLACES_H
#define DENDROLITH_RUNTIME_SESSION_JIT_BODIES_PLACES_H

#include "dialects/dend/fast/CompiledBody.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace dendrolith::sim::jit::bodies {

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

/// Elements and words of a value.
inline int64_t sizeOf(mlir::Value value) {
  return dend::elementCount(value.getType());
}
inline int64_t partsOf(mlir::Value value) {
  return dend::isComplex(value.getType()) ? 2 : 1;
}
inline int64_t wordsOf(mlir::Value value) {
  return sizeOf(value) * partsOf(value);
}

/// Elements of a result are computed each by itself, from the elements of
/// operands at the same index, or from their only one.
bool isPointwise(mlir::Operation *op);
/// A function that the code calls: all but those that processors have.
bool isCall(mlir::Operation *op);
/// A matrix that an outer product is added to.
bool addsOuter(mlir::Operation *op);
/// Whether every op of the body is one that code is written for.
bool isKnown(dend::NeuronOp model);

class Places {
public:
  /// Lanes are neurons side by side, or 1: then elements of a neuron are.
  Places(dend::NeuronOp model, int64_t lanes);

  /// What is unrolled, and what stays in registers: so many elements.
  int64_t few() const { return lanes == 1 ? 1 : 4; }

  const Place &operator[](mlir::Value value) const {
    return places.find(value)->second;
  }
  /// No update changes it, so that no code computes it.
  bool isFixed(mlir::Value value) const { return fixed.contains(value); }
  /// Whether the value is computed where the state lies that it becomes.
  bool isInPlace(unsigned state) const { return inPlace[state]; }
  /// Words of scratch that an op needs beside its results, or that a state
  /// needs whose new value is what another one was.
  int64_t spareOf(mlir::Operation *op) const { return spare.lookup(op); }
  int64_t spareOf(unsigned state) const { return spareOfState[state]; }

  const dend::NeuronOp model;
  const int64_t lanes;
  std::array<int64_t, kSpaces> words = {}; // of a neuron
  std::vector<dend::CompiledBody::Fixed> shared, own;

private:
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
  std::vector<bool> inPlace;
  llvm::DenseMap<mlir::Operation *, int64_t> spare;
  std::vector<int64_t> spareOfState;
};

} // namespace dendrolith::sim::jit::bodies

#endif // DENDROLITH_RUNTIME_SESSION_JIT_BODIES_PLACES_H
