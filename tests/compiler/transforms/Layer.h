// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One population behind one input, with every number at hand, as dend text; and
// the integers that --dend-quantise makes of it.

#ifndef DENDROLITH_TESTS_COMPILER_TRANSFORMS_LAYER_H
#define DENDROLITH_TESTS_COMPILER_TRANSFORMS_LAYER_H

#include "tests/dialects/dend/reference/Support.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dendrolith::test {

/// i' = ki i + gi (W x + b), v' = kv v + gv i' + off, a spike if v' > theta,
/// which sets v' to `to`. Without `synaptic`, i' = W x + b has no memory;
/// without `fires`, v is probed.
struct Layer {
  size_t sources = 1, neurons = 1;
  bool synaptic = true, fires = true;
  std::vector<double> ki, gi, kv, gv, off, theta, to, bias; // per neuron
  std::vector<double> weights;                              // neuron by neuron

  /// All numbers drawn at random; half of the layers have weights of one sign.
  static Layer random(std::mt19937 &random);
  /// The body of a network: input @x, population @a, output @y.
  std::string text() const;
  /// Weights, biases, offsets, thresholds and reset values times `factor`.
  Layer scaled(double factor) const;
};

/// A network that has been through --dend-quantise.
class Quantised {
public:
  Quantised(const std::string &body, const std::string &target);

  bool ok = false;
  std::string errors() const { return loaded.errors; }
  dend::NetworkOp network() const { return loaded.network; }
  dend::PopulationOp population() const;
  dend::ProjectOp projection() const;
  double scale() const; // units per unit of v
  /// "decay_u", ... of @a, one per neuron.
  std::vector<int64_t> parameter(const std::string &name) const;
  std::vector<int64_t> mantissas() const;

private:
  dend::test::Loaded loaded;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_TRANSFORMS_LAYER_H
