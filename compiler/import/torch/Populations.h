// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step function becomes: populations with bodies, and what is sent
// between them. README.md has the rule.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_POPULATIONS_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_POPULATIONS_H

#include "compiler/import/torch/Program.h"

#include <deque>
#include <memory>
#include <variant>

namespace dendrolith::torch {

struct Population;

/// A value of every neuron of a population. `shape` is the tensor's; the
/// neurons are its axes [axis, axis + axes), in front of which all extents
/// are 1.
struct Body {
  std::string text; ///< of the value in the body: "%v3"
  Shape shape;
  size_t axis = 0, axes = 1;
  Population *home = nullptr;
  bool truth = false;           ///< true or false, not yet a number
  bool binary = false;          ///< a number that is 1 or 0
  int state = -1;               ///< which state it is, before the step
  const Body *origin = nullptr; ///< the same elements, named first

  int64_t neurons() const;
  Shape inner() const {
    return {shape.begin() + long(axis + axes), shape.end()};
  }
  const Body *first() const { return origin ? origin : this; }
};

/// Where elements are sent from.
struct Source {
  enum class Kind { Input, Body, State };
  Kind kind = Kind::Input;
  const Body *body = nullptr;
  int state = -1;
  int64_t width = 0;
};

/// What one accumulator gets: weighted elements and a constant.
struct Row {
  struct Entry {
    int source;
    int64_t element;
    double weight;
  };
  std::vector<Entry> entries;
  double bias = 0;
  /// One element as it is.
  bool isPlain() const {
    return entries.size() == 1 && entries[0].weight == 1 && bias == 0;
  }
};
using RowPtr = std::shared_ptr<const Row>;

/// Most synapses that one operation may have.
constexpr int64_t kMaxEntries = int64_t(1) << 26;

/// Adds weighted rows up.
class Adder {
public:
  void add(const RowPtr &row, double weight) {
    if (!row || weight == 0)
      return;
    for (const Row::Entry &entry : row->entries)
      sum.entries.push_back(
          {entry.source, entry.element, entry.weight * weight});
    sum.bias += row->bias * weight;
  }
  void add(double bias) { sum.bias += bias; }
  RowPtr done() {
    if (sum.entries.empty() && sum.bias == 0)
      return nullptr;
    return std::make_shared<Row>(std::move(sum));
  }

private:
  Row sum;
};

/// A tensor of what arrives. A null row is zero.
struct Flow {
  Shape shape;
  std::vector<RowPtr> rows;
  std::string name = {}; ///< of the module that makes it, or empty
};

using ConstantPtr = std::shared_ptr<const Constant>;
using Value = std::variant<ConstantPtr, Flow, const Body *>;

struct Port {
  std::string text; ///< "%fc1"
  Shape inner;
  std::vector<RowPtr> rows; ///< neuron after neuron
};
struct Parameter {
  std::string text;
  Shape inner;
  bool perNeuron;
  std::vector<double> values;
};
struct Slot {
  std::string text;
  Shape inner;
  std::vector<double> start; ///< of all neurons
  std::string next;          ///< the value after the step
};
struct Line {
  std::string result, text, place;
};
struct Emission {
  const Body *body;
  std::string name;
};

struct Population {
  int64_t neurons = 0;
  unsigned level = 0;
  Population *joined = nullptr; ///< the one that has taken this one's content
  std::string name;
  std::deque<Port> ports;
  std::deque<Parameter> parameters;
  std::deque<Slot> states;
  std::vector<Line> lines;
  std::deque<Emission> emissions;

  Population *root() {
    Population *at = this;
    while (at->joined)
      at = at->joined;
    return at;
  }
};

/// The whole network, ready to be written.
struct Built {
  std::deque<Body> bodies;
  std::deque<Population> populations;
  std::vector<Source> sources;
  std::vector<const Body *> states; ///< after the step, by number
  const Body *output = nullptr;
};

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_POPULATIONS_H
