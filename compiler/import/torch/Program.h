// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step function as torch.export wrote it: operations in order, weights, and
// which inputs are states. Shapes, and tensors whose elements are known before
// the network runs.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_PROGRAM_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_PROGRAM_H

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::torch {

using Shape = std::vector<int64_t>;
/// For each element of a result, the element of an operand that it is.
using Gather = std::vector<int64_t>;

struct Constant {
  Shape shape;
  std::vector<double> values;
  std::string name = {};              ///< of the parameter that it is, or empty
  std::vector<double> imaginary = {}; ///< of complex numbers, or empty
};

int64_t count(const Shape &shape);
std::string textOf(const Shape &shape);
/// "tensor<2x3xf64>", or "f64" without an axis.
std::string tensorType(const Shape &shape);
/// Without extents of 1.
Shape squeezed(const Shape &shape);
/// Elements from one to the next along each axis.
Shape stridesOf(const Shape &shape);
/// The shape that both are broadcast to; none where they do not fit.
std::optional<Shape> broadcast(const Shape &a, const Shape &b);
/// Which element of a tensor of shape `from` broadcasting puts where. Throws
/// std::out_of_range where the shapes do not fit.
Gather broadcastMap(const Shape &from, const Shape &to);
/// Adds one to an index into `shape`, the last axis first.
void advance(Shape &index, const Shape &shape);

template <typename T>
std::vector<T> gathered(const std::vector<T> &from, const Gather &map) {
  std::vector<T> to;
  to.reserve(map.size());
  for (int64_t i : map)
    to.push_back(from[size_t(i)]);
  return to;
}

struct Argument {
  enum class Kind {
    None,
    Tensor,
    Tensors,
    Integer,
    Integers,
    Real,
    Bool,
    Complex,
    Text
  };
  Kind kind = Kind::None;
  std::vector<std::string> names; ///< of tensors; "" for one that is absent
  Shape integers;                 ///< Integer and Bool have one
  double real = 0;                ///< of Real, Integer, Bool and Complex
  double imaginary = 0;           ///< of Complex
  std::string text;
};

struct Node {
  std::string op;     ///< "add" of torch.ops.aten.add.Tensor
  std::string place;  ///< "cell.py:12", where the user wrote it
  std::string module; ///< "layers.0.lif", or empty
  std::vector<std::pair<std::string, Argument>> inputs;
  std::vector<std::string> outputs;

  /// The argument of that name; one of kind None where there is none.
  const Argument &input(const std::string &name) const;
  int64_t integer(const std::string &name, int64_t otherwise) const;
  double real(const std::string &name, double otherwise) const;
  Shape integers(const std::string &name) const;
  bool has(const std::string &name) const {
    return input(name).kind != Argument::Kind::None;
  }
};

struct State {
  std::string before, after; ///< tensors of the graph
  std::string name;          ///< as the user calls it
  Constant start;
};

struct Program {
  std::string path;
  std::vector<Node> nodes;
  std::map<std::string, Shape> shapes; ///< of every tensor
  std::set<std::string> complex;       ///< tensors of complex numbers
  std::map<std::string, Constant> constants;
  std::string input, output;
  std::vector<State> states;
  /// States whose start the file does not say.
  bool startsUnsaid = false;
};

/// The same, with fewer kinds of products.
Program simpler(Program program);

/// Where the elements of a tensor lie in its storage.
struct RawTensor {
  int code = 0; ///< ScalarType of torch's schema
  Shape sizes, strides;
  int64_t first = 0;
};

/// Throws Error beginning with `place`.
Constant readRaw(const std::string &bytes, const RawTensor &raw,
                 const std::string &place);

/// Reads a .pt2 file as torch.export.save writes it since torch 2.6. Nothing in
/// it is executed. Throws dendrolith::Error naming the file and the place.
Program readProgram(const std::string &path);

/// A whole number of a file. Throws the JSON library's type error for any other
/// value: its own conversion takes every number, and one beyond the range has
/// no meaning then.
int64_t integerFrom(const nlohmann::json &value);

/// The graph of model.json; `weights` are the file's tensors by name.
Program parseProgram(const std::string &path, const std::string &graph,
                     const std::map<std::string, Constant> &weights);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_PROGRAM_H
