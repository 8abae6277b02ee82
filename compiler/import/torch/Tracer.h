// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through a step function once and makes populations of it.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_TRACER_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_TRACER_H

#include "compiler/import/torch/Populations.h"
#include "compiler/import/torch/Windows.h"

#include <map>
#include <optional>
#include <set>

namespace dendrolith::torch {

/// For each node, how many populations in a row lie before it within a step.
using Levels = std::vector<unsigned>;

class Tracer {
public:
  Tracer(const Program &program, Levels levels, std::vector<unsigned> states,
         bool findsStates);
  /// Throws dendrolith::Error with the user's file and line.
  void run();

  Built built;
  /// By node: whether what neurons compute is sent in it.
  std::vector<bool> sends;
  /// States whose new value is made by other neurons than hold them; refused
  /// unless the tracer `findsStates`.
  std::vector<size_t> statesElsewhere;

private:
  /// Where an element-wise operation is computed.
  struct Frame {
    Shape shape;
    size_t axis = 0, axes = 1;
    Population *home = nullptr;
    Shape inner() const {
      return {shape.begin() + long(axis + axes), shape.end()};
    }
  };

  [[noreturn]] void fail(const std::string &text) const;
  const Value &valueOf(const std::string &tensor) const;
  const Shape &shapeOf(const std::string &tensor) const {
    return program.shapes.at(tensor);
  }
  const Shape &result(size_t output = 0) const {
    return shapeOf(node->outputs.at(output));
  }
  unsigned level() const { return levels[at]; }
  /// Tensors and numbers among the arguments, in their order.
  std::vector<Value> operands() const;
  void begin();
  void visit();
  Value evaluate();
  void keep(Value value, size_t output = 0);
  void finish();

  // TracerBodies.cpp: values of neurons
  const Body *add(Body body);
  Population *population(int64_t neurons, unsigned level);
  Population *join(Population *a, Population *b);
  Frame frameOf(const std::vector<Value> &values, const Shape &shape);
  bool fits(const Body &body, const Shape &shape, Frame &frame) const;
  Frame frameAt(const Shape &shape, int64_t neurons) const;
  Population *homeOf(const std::vector<Value> &values, int64_t neurons);
  const Body *here(const Body *body, Population *home);
  const Body *port(const Flow &flow, const Frame &where);
  std::string line(Population *home, const std::string &text);
  std::string literal(Population *home, double value, const Shape &inner);
  std::string operand(const Value &value, Frame &frame, bool whole = false,
                      bool truth = false);
  std::string condition(const Value &value, Frame &frame, bool whole);
  std::vector<std::string> texts(const std::vector<Value> &values,
                                 Frame &frame);
  std::string operandOf(const Constant &value, Frame &frame, bool whole);
  std::string real(const Body &body, Population *home);
  const Body *emit(const std::string &text, const Frame &frame,
                   bool truth = false);
  std::string nameFor(Population *home, const std::string &wish);

  // TracerLayout.cpp
  std::optional<Value> layout();
  Value joinTensors();
  Value reshaped(const Value &value);
  Value movedBody(const Body &body, const Gather &map, const Shape &shape);
  std::string remap(Population *home, const std::string &text,
                    const Shape &have, const Shape &want, const Gather &map);
  std::string vectorOf(Population *home, const std::string &flat, int64_t size,
                       const Gather &map);
  std::string flatten(Population *home, const std::string &text,
                      const Shape &have);
  const Body *concatenated(const std::vector<Value> &parts,
                           const std::vector<Shape> &shapes);
  Value indexed();

  // TracerFlows.cpp: what is sent, and linear maps over neurons
  Flow flowOf(const Value &value);
  Flow sentBy(const Body &body);
  Value sentOn() { return flowOf(valueOf(node->input("self").names.at(0))); }
  const Body *relay(int state);
  int source(const Source &wanted);
  Flow plainFlow(const Value &value);
  Flow added(const Flow &a, const Value &b, double sign);
  Value product();
  Value batchProduct();
  const Body *ofEachNeuron(const Value &a, const Value &b, const Shape &as,
                           const Shape &bs);
  Value multiply(const Value &a, const Value &b, const Value *bias);
  const Body *within(const Body &body, const Constant &matrix, bool bodyFirst);

  // TracerSums.cpp
  Value normalised();
  Value reduction();
  const Body &collected(const std::string &tensor, const Shape &axes,
                        Population *home = nullptr);
  Value reduced(const Body &all);
  std::optional<Value> besideCollected(const std::vector<Value> &operands);
  Value cumulative();
  const Body &wide(const Value &value);
  Frame vectorFrom(const Value &value, size_t first, std::string &x);
  Value softmax();
  Value layerNormalised();
  Value sumOverNeurons(const Value &value, const Shape &axes, double factor);

  // TracerWindows.cpp
  Value convolution();
  Windows poolWindows() const;
  Value averagePool();
  bool isBinary(const Value &value) const;
  Value largestPool();

  // TracerElements.cpp: operations of a body
  Value elements();
  Value binary(const std::string &word, const std::vector<Value> &values);
  Value compare(const std::vector<Value> &values);
  Value choose(const std::vector<Value> &values);
  Value heaviside(const std::vector<Value> &values);
  Value logic(const std::vector<Value> &values);
  Value negation(const std::vector<Value> &values);
  Value clamp(const std::vector<Value> &values);
  Value power(const std::vector<Value> &values);
  Value remainder(const std::vector<Value> &values);
  Value sign(const std::vector<Value> &values);
  Value copied(const std::vector<Value> &values);
  Value gated(const Body &truth, const Value &other,
              const std::vector<Value> &values);

  // TracerFunctions.cpp: what is written in several operations
  const Body *overElements(const Body &all, const Frame &frame);
  std::string floorOf(Population *home, const std::string &x,
                      const Shape &inner);
  const Body *rounded(const std::string &way, const std::string &x,
                      const Frame &frame);
  const Body *errorFunction(const std::string &x, const Frame &frame);
  const Body *exponential(const std::string &x, const Frame &frame);

  // TracerPlaces.cpp: the largest elements, places that change
  /// What lies along an axis, as a vector of each neuron that it is within, or
  /// of a neuron for each group of neurons.
  struct Along {
    size_t axis = 0;
    int64_t extent = 0, groups = 0;
    bool within = false;
    Frame frame;
    std::string text;
  };
  Along along(const std::string &tensor, int64_t dim, bool read,
              const std::string &places = {});
  Value across(const Along &vector, const std::string &text, const Shape &shape,
               bool truth = false);
  std::vector<std::string> hits(Along &vector, const std::string &places);
  Value extremesAlong();
  Value elementAt();
  Value chosen(Along &vector, const std::string &places);
  Value indexedAt(const std::string &self, size_t axis,
                  const std::string &places);
  Value written();
  std::string places(Population *home, int64_t size, int step);
  bool isRead(const std::string &tensor) const;

  const Program &program;
  Levels levels;
  bool findsStates;
  std::vector<unsigned> stateLevels;
  std::map<std::string, Value> values;
  std::map<std::string, const Body *> ports; // by rows, inner shape, level
  std::map<std::string, std::string> reals;  // of truths, by home
  std::map<int, const Body *> relays;
  /// Elements that were collected in neurons of their own.
  struct Collected {
    std::string tensor; // what they are
    Shape axes;
    const Body *elements;
  };
  std::vector<Collected> collections;
  std::map<const Body *, int> sourceOf;
  std::map<int, int> sourceOfState;
  const Node *node = nullptr;
  size_t at = 0;
  size_t counter = 0;
  std::set<std::string> names; // of values in bodies
  std::set<size_t> imageRanks; // ranks of what is convolved or pooled
};

/// The program as populations.
Built buildPopulations(const Program &program);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_TRACER_H
