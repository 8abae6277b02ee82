// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Program.h"

#include "compiler/import/torch/Layout.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace dendrolith::torch {

int64_t count(const Shape &shape) {
  int64_t all = 1;
  for (int64_t extent : shape)
    all *= extent;
  return all;
}

std::string textOf(const Shape &shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::string tensorType(const Shape &shape) {
  return shape.empty() ? "f64"
                       : fmt::format("tensor<{}xf64>", fmt::join(shape, "x"));
}

Shape squeezed(const Shape &shape) {
  Shape kept;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(kept),
               [](int64_t extent) { return extent != 1; });
  return kept;
}

Shape stridesOf(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::optional<Shape> broadcast(const Shape &a, const Shape &b) {
  Shape all(std::max(a.size(), b.size()), 1);
  for (const Shape *one : {&a, &b})
    for (size_t i = 0; i < one->size(); ++i) {
      int64_t &extent = all[all.size() - one->size() + i];
      if (extent != 1 && (*one)[i] != 1 && extent != (*one)[i])
        return std::nullopt;
      extent = extent == 1 ? (*one)[i] : extent;
    }
  return all;
}

void advance(Shape &index, const Shape &shape) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i])
      return;
    index[i] = 0;
  }
}

Gather broadcastMap(const Shape &from, const Shape &to) {
  if (broadcast(from, to) != to)
    throw std::out_of_range("a shape that does not fit");
  Shape strides = stridesOf(from), index(to.size(), 0);
  const size_t lead = to.size() - from.size();
  Gather map(size_t(count(to)));
  for (int64_t &element : map) {
    element = 0;
    for (size_t i = 0; i < from.size(); ++i)
      element += from[i] == 1 ? 0 : index[lead + i] * strides[i];
    advance(index, to);
  }
  return map;
}

namespace {

/// Writes products of two values that both change, and rows of a table at
/// places that change, in operations of elements, sums and constant products.
class Simpler {
  using Inputs = std::vector<std::pair<std::string, Argument>>;

public:
  explicit Simpler(Program given) : program(std::move(given)) {}

  Program run() {
    for (const auto &[name, constant] : program.constants)
      known.insert(name);
    std::vector<Node> nodes = std::move(program.nodes);
    program.nodes.clear();
    for (Node &one : nodes) {
      node = &one;
      bool constant = !one.inputs.empty();
      for (const auto &[name, argument] : one.inputs)
        for (const std::string &input : argument.names)
          constant &= input.empty() || known.count(input);
      if (!constant && !one.outputs.empty() &&
          (product() || row() || groups() || steps()))
        continue;
      for (const std::string &output : one.outputs) {
        maker[output] = program.nodes.size();
        if (constant)
          known.insert(output);
      }
      program.nodes.push_back(one);
    }
    return std::move(program);
  }

private:
  static Argument tensor(const std::string &name) {
    Argument made;
    made.kind = Argument::Kind::Tensor;
    made.names = {name};
    return made;
  }
  static Argument list(Shape integers) {
    Argument made;
    made.kind = Argument::Kind::Integers;
    made.integers = std::move(integers);
    return made;
  }
  const Shape &shapeOf(const std::string &name) const {
    return program.shapes.at(name);
  }
  std::string make(const std::string &op, Inputs inputs, Shape shape,
                   std::string name = {}) {
    if (name.empty())
      name = node->outputs[0] + fmt::format(".{}", ++counter);
    program.shapes[name] = std::move(shape);
    maker[name] = program.nodes.size();
    program.nodes.push_back(
        {op, node->place, node->module, std::move(inputs), {name}});
    return name;
  }
  std::string view(const std::string &of, const Shape &shape,
                   const std::string &name = {}) {
    return make("view", {{"self", tensor(of)}, {"size", list(shape)}}, shape,
                name);
  }

  /// A tensor of shape (rows, inside) of which `of` has the elements at `map`:
  /// what moved them, where that leads to one, else a move of its own.
  std::string rowsOf(const std::string &of, bool turned, int64_t rows,
                     int64_t inside) {
    const Shape wanted{1, rows, inside};
    Gather map(size_t(rows * inside)), from(map.size());
    for (size_t i = 0; i < map.size(); ++i) {
      const int64_t r = int64_t(i) / inside, k = int64_t(i) % inside;
      map[i] = turned ? k * rows + r : int64_t(i);
      from[i] = int64_t(i); // of `at`'s elements, where those of `of` are
    }
    std::string at = of;
    while (true) {
      Gather straight = gathered(from, map);
      bool same = size_t(count(shapeOf(at))) == map.size();
      for (size_t i = 0; same && i < straight.size(); ++i)
        same = straight[i] == int64_t(i);
      if (same && squeezed(shapeOf(at)) == squeezed(wanted))
        return view(at, wanted);
      auto made = maker.find(at);
      if (made == maker.end() || !isLayout(program.nodes[made->second].op))
        break;
      const Node &moved = program.nodes[made->second];
      const std::string &before = moved.input("self").names.at(0);
      auto maps = layoutOf(moved, shapeOf(before), {shapeOf(at)});
      if (!maps || moved.outputs.size() != 1)
        break;
      from = gathered((*maps)[0], from);
      at = before;
    }
    if (!turned)
      return view(of, wanted);
    const std::string flat = view(of, {1, inside, rows});
    return make("permute", {{"self", tensor(flat)}, {"dims", list({0, 2, 1})}},
                wanted);
  }

  /// A matrix times a vector, both of which change: neurons of the matrix's
  /// rows, each with the sum of its products.
  bool product() {
    const std::string &op = node->op;
    if (op != "bmm" && op != "mm" && op != "mv" && op != "dot")
      return false;
    const char *second = op == "mv" ? "vec" : op == "dot" ? "tensor" : "mat2";
    const std::string a = node->input("self").names.at(0),
                      b = node->input(second).names.at(0);
    Shape as = shapeOf(a), bs = shapeOf(b);
    if (op == "dot")
      as.insert(as.begin(), 1);
    if (bs.size() == 1)
      bs.push_back(1);
    if (op == "bmm") {
      if (as.size() != 3 || bs.size() != 3 || as[0] != 1 || bs[0] != 1)
        return false;
      as.erase(as.begin());
      bs.erase(bs.begin());
    }
    if (as.size() != 2 || bs.size() != 2 || as[1] != bs[0] ||
        (as[0] != 1 && bs[1] != 1 && as[1] != 1) ||
        count(as) * count(bs) == 0 || known.count(a) || known.count(b))
      return false;
    if (as[1] == 1 && as[0] != 1 && bs[1] != 1) { // one for each pair
      const std::string each = make("mul",
                                    {{"self", tensor(view(a, {1, as[0], 1}))},
                                     {"other", tensor(view(b, {1, 1, bs[1]}))}},
                                    {1, as[0], bs[1]});
      view(each, shapeOf(node->outputs[0]), node->outputs[0]);
      return true;
    }
    const int64_t inside = as[1], rows = as[0] * bs[1];
    const bool left = bs[1] == 1;
    const std::string matrix = left ? rowsOf(a, false, rows, inside)
                                    : rowsOf(b, true, rows, inside),
                      vector = left ? rowsOf(b, true, 1, inside)
                                    : rowsOf(a, false, 1, inside);
    const std::string each =
        make("mul", {{"self", tensor(matrix)}, {"other", tensor(vector)}},
             {1, rows, inside});
    const std::string sum =
        make("sum", {{"self", tensor(each)}, {"dim", list({2})}}, {1, rows});
    view(sum, shapeOf(node->outputs[0]), node->outputs[0]);
    return true;
  }

  /// Rows of a constant matrix: which place it is, times the matrix.
  bool row() {
    const std::string &op = node->op;
    if (op != "embedding" && op != "index" && op != "index_select")
      return false;
    const std::vector<std::string> &places =
        node->input(op == "index_select" ? "index" : "indices").names;
    const std::vector<std::string> &table =
        node->input(op == "embedding" ? "weight" : "self").names;
    if (places.size() != 1 || table.size() != 1 || known.count(places[0]) ||
        !known.count(table[0]) || node->integer("dim", 0) != 0)
      return false;
    const Shape shape = shapeOf(table[0]);
    if (shape.size() != 2)
      return false;
    const int64_t tokens = count(shapeOf(places[0]));
    Constant all{{shape[0]}, {}};
    for (int64_t i = 0; i < shape[0]; ++i)
      all.values.push_back(double(i));
    const std::string name = node->outputs[0] + ".places";
    program.constants[name] = all;
    program.shapes[name] = all.shape;
    known.insert(name);
    const std::string is = make("eq",
                                {{"self", tensor(view(places[0], {tokens, 1}))},
                                 {"other", tensor(name)}},
                                {tokens, shape[0]});
    const std::string made =
        make("mm", {{"self", tensor(is)}, {"mat2", tensor(table[0])}},
             {tokens, shape[1]});
    view(made, shapeOf(node->outputs[0]), node->outputs[0]);
    return true;
  }

  /// GroupNorm: LayerNorm of each group, times a gain of each channel.
  bool groups() {
    if (node->op != "native_group_norm")
      return false;
    const Shape shape = shapeOf(node->outputs[0]);
    const int64_t groups = node->integer("group", 0),
                  channels = node->integer("C", 0);
    if (groups < 1 || channels < 1 || count(shape) % groups ||
        shape.size() < 2 || shape[0] != 1 || shape[1] != channels)
      return false;
    const Shape each{1, groups, count(shape) / groups};
    std::string made =
        make("native_layer_norm",
             {{"input", tensor(view(node->input("input").names.at(0), each))},
              {"normalized_shape", list({each[2]})},
              {"eps", node->input("eps")}},
             each);
    made = view(made, shape);
    Shape own(shape.size() - 1, 1);
    own[0] = channels;
    for (const char *name : {"weight", "bias"})
      if (node->has(name))
        made =
            make(name == std::string("weight") ? "mul" : "add",
                 {{"self", tensor(made)},
                  {"other", tensor(view(node->input(name).names.at(0), own))}},
                 shape);
    view(made, shape, node->outputs[0]);
    return true;
  }

  /// Rounding to steps of a scale, as training for few bits has it.
  bool steps() {
    if (node->op != "fake_quantize_per_tensor_affine_cachemask")
      return false;
    const double scale = node->real("scale", 0);
    if (!(scale > 0) || node->real("zero_point", 0) != 0)
      return false;
    const Shape shape = shapeOf(node->outputs[0]);
    Argument step;
    step.kind = Argument::Kind::Real;
    step.real = scale;
    const std::string in =
        make("div", {{"self", node->input("self")}, {"other", step}}, shape);
    const std::string whole = make("round", {{"self", tensor(in)}}, shape);
    const std::string cut = make("clamp",
                                 {{"self", tensor(whole)},
                                  {"min", node->input("quant_min")},
                                  {"max", node->input("quant_max")}},
                                 shape);
    make("mul", {{"self", tensor(cut)}, {"other", step}}, shape,
         node->outputs[0]);
    return true;
  }

  Program program;
  const Node *node = nullptr;
  std::set<std::string> known;
  std::map<std::string, size_t> maker;
  size_t counter = 0;
};

} // namespace

Program simpler(Program program) {
  const std::string path = program.path;
  try {
    return Simpler(std::move(program)).run();
  } catch (const std::out_of_range &) {
    throw Error(path + ": a product has other arguments than expected");
  }
}

} // namespace dendrolith::torch
