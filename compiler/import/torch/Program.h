// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step function as torch.export wrote it: operations in order, weights, and
// which inputs are states.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_PROGRAM_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_PROGRAM_H

#include "compiler/import/torch/Tensor.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::torch {

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

/// The graph of model.json; `weights` are the file's tensors by name.
Program parseProgram(const std::string &path, const std::string &graph,
                     const std::map<std::string, Constant> &weights);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_PROGRAM_H
