// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body value of all neurons of a population at once, and the frame that
// holds every value of a step body.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_FRAME_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_FRAME_H

#include "dialects/dend/reference/Tensor.h"

#include "llvm/ADT/DenseMap.h"

namespace dendrolith::dend {

enum class ElementKind { Real, Complex, Fixed, Int, Bool };

/// One body value of every neuron. Neuron n's element i is at n * size + i:
/// the numbering of projections (neuron x element).
struct PopulationValue {
  ElementKind kind = ElementKind::Real;
  unsigned width = 0;       // bits of Fixed (!dend.fx), Int (32), Bool (1)
  int exponent = 0;         // Fixed: one unit is worth 2^exponent
  int64_t size = 1;         // elements per neuron
  int64_t count = 0;        // neurons stored; 1 = the same for all neurons
  std::vector<double> real; // Real: count * size; Complex: twice, (re, im)
  std::vector<int64_t> raw; // the other kinds; Bool holds 0 or 1

  PopulationValue() = default;
  explicit PopulationValue(mlir::Type type);

  bool isReal() const {
    return kind == ElementKind::Real || kind == ElementKind::Complex;
  }
  /// Sets the number of neurons; the elements are then unspecified.
  void resize(int64_t neurons);
  /// Sets the number of neurons and every element to zero.
  void clear(int64_t neurons);
  /// Takes the elements of `from` (same kind and size), repeated if they are
  /// shared, for exactly `neurons` neurons.
  void assign(const PopulationValue &from, int64_t neurons);
  /// Takes a constant's elements; their number decides shared or per neuron.
  void assign(const Tensor &from);
};

/// Element (neuron, index) of a value; a shared value and a scalar repeat.
template <typename T> class View {
public:
  View(const std::vector<T> &data, const PopulationValue &lanes)
      : data(data.data()), perNeuron(lanes.count == 1 ? 0 : lanes.size),
        perElement(lanes.size == 1 ? 0 : 1) {}
  T operator()(int64_t neuron, int64_t element) const {
    return data[neuron * perNeuron + element * perElement];
  }
  /// Where a neuron's elements begin, and how far apart they are: 1, or 0 if
  /// there is one for all.
  const T *row(int64_t neuron) const { return data + neuron * perNeuron; }
  int64_t step() const { return perElement; }

private:
  const T *data;
  int64_t perNeuron, perElement;
};
inline View<double> reals(const PopulationValue &lanes) {
  return {lanes.real, lanes};
}
inline View<int64_t> raws(const PopulationValue &lanes) {
  return {lanes.raw, lanes};
}
/// Where the (re, im) pair of an element of a complex value lies.
inline const double *complexAt(const PopulationValue &lanes, int64_t neuron,
                               int64_t element) {
  int64_t first = lanes.count == 1 ? 0 : neuron * lanes.size;
  return lanes.real.data() + 2 * (first + (lanes.size == 1 ? 0 : element));
}

/// Every value of a step body in the order of a frame: arguments, then results
/// of ops, those of a region before what the op of the region gives.
std::vector<mlir::Value> bodyValues(NeuronOp model);

/// Every value of one population's step body. Storage lives as long as the
/// frame, so a tick allocates nothing.
class Frame {
public:
  Frame(NeuronOp model, int64_t neurons);

  int64_t neurons() const { return count; }
  PopulationValue &operator[](mlir::Value value) {
    return values[slots.at(value)];
  }
  const PopulationValue &operator[](mlir::Value value) const {
    return values[slots.at(value)];
  }
  /// The slot of an op result, sized for its operands: shared by all neurons
  /// if every operand is.
  PopulationValue &result(mlir::Value value);

private:
  int64_t count;
  llvm::DenseMap<mlir::Value, unsigned> slots;
  std::vector<PopulationValue> values;
};

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_FRAME_H
