// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Pairs.h"

#include "compiler/import/torch/Layout.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace dendrolith::torch {
namespace {

using Kind = Argument::Kind;
using Inputs = std::vector<std::pair<std::string, Argument>>;

Argument tensor(const std::string &name) {
  Argument made;
  made.kind = Kind::Tensor;
  made.names = {name};
  return made;
}
Argument number(double value) {
  Argument made;
  made.kind = Kind::Real;
  made.real = value;
  return made;
}
Argument integer(int64_t value) {
  Argument made;
  made.kind = Kind::Integer;
  made.integers = {value};
  made.real = double(value);
  return made;
}
std::string realOf(const std::string &name) { return name + ".re"; }
std::string imaginaryOf(const std::string &name) { return name + ".im"; }

/// An operand; `im` is none where it is real.
struct Pair {
  Argument re;
  std::optional<Argument> im;
};

/// Operations that do with either part what they do with a number.
bool isOfParts(const std::string &op) {
  static const std::set<std::string> all = {
      "neg",    "sum",   "mean", "cat",  "stack",         "index",
      "detach", "alias", "lift", "copy", "slice_scatter", "select_scatter",
      "clone",  "where", "flip", "roll", "index_select"};
  return all.count(op) || isLayout(op);
}

class Splitter {
public:
  explicit Splitter(Program given) : program(std::move(given)) {}

  Program run() {
    for (const std::string &end : {program.input, program.output})
      if (program.complex.count(end))
        throw Error(program.path +
                    ": input and output are real numbers, found complex ones; "
                    "use torch.view_as_real");
    for (const std::string &name : program.complex) {
      const Shape shape = program.shapes.at(name);
      program.shapes[realOf(name)] = program.shapes[imaginaryOf(name)] = shape;
      if (auto constant = program.constants.extract(name))
        splitConstant(name, constant.mapped());
    }
    splitStates();
    std::vector<Node> nodes = std::move(program.nodes);
    program.nodes.clear();
    for (Node &one : nodes) {
      node = &one;
      if (isComplex(one))
        split();
      else
        program.nodes.push_back(std::move(one));
    }
    return std::move(program);
  }

private:
  [[noreturn]] void fail(const std::string &text) const {
    throw Error(fmt::format(
        "{}: {}{}: {}: {}", program.path, node->place,
        node->module.empty() ? "" : ", in module " + quotedName(node->module),
        printable(node->op), text));
  }

  static Constant part(const Constant &whole, bool imaginary,
                       const char *suffix) {
    Constant made{whole.shape, whole.values, ""};
    if (imaginary)
      made.values = whole.imaginary;
    made.values.resize(whole.values.size(), 0.0);
    if (!whole.name.empty())
      made.name = whole.name + suffix;
    return made;
  }
  void splitConstant(const std::string &name, const Constant &whole) {
    program.constants[realOf(name)] = part(whole, false, "_re");
    program.constants[imaginaryOf(name)] = part(whole, true, "_im");
  }
  void splitStates() {
    std::vector<State> states;
    for (const State &one : program.states) {
      if (!program.complex.count(one.before)) {
        states.push_back(one);
        continue;
      }
      if (!program.complex.count(one.after))
        throw Error(fmt::format("{}: the state {} is complex before the step "
                                "and real after it",
                                program.path, quotedName(one.name)));
      states.push_back({realOf(one.before), realOf(one.after), one.name + "_re",
                        part(one.start, false, "_re")});
      states.push_back({imaginaryOf(one.before), imaginaryOf(one.after),
                        one.name + "_im", part(one.start, true, "_im")});
    }
    program.states = std::move(states);
  }

  bool isComplex(const Argument &argument) const {
    return argument.kind == Kind::Complex ||
           std::any_of(argument.names.begin(), argument.names.end(),
                       [&](const std::string &name) {
                         return program.complex.count(name) > 0;
                       });
  }
  bool isComplex(const Node &one) const {
    return std::any_of(one.outputs.begin(), one.outputs.end(),
                       [&](const std::string &name) {
                         return program.complex.count(name) > 0;
                       }) ||
           std::any_of(
               one.inputs.begin(), one.inputs.end(),
               [&](const auto &input) { return isComplex(input.second); });
  }

  Pair pairOf(const Argument &argument) const {
    if (argument.kind == Kind::Complex)
      return {number(argument.real), number(argument.imaginary)};
    if (argument.kind == Kind::Tensor && isComplex(argument))
      return {tensor(realOf(argument.names[0])),
              tensor(imaginaryOf(argument.names[0]))};
    return {argument, std::nullopt};
  }
  Pair pairOf(const char *name) const {
    const Argument &found = node->input(name);
    if (found.kind == Kind::None)
      fail(fmt::format("has no argument '{}'", name));
    return pairOf(found);
  }

  Shape shapeOf(const Argument &argument) const {
    return argument.kind == Kind::Tensor ? program.shapes.at(argument.names[0])
                                         : Shape{};
  }
  Argument make(const std::string &op, Inputs inputs, const Shape &shape) {
    const std::string name =
        fmt::format("{}.{}", node->outputs.at(0), ++counter);
    program.shapes[name] = shape;
    program.nodes.push_back(
        {op, node->place, node->module, std::move(inputs), {name}});
    return tensor(name);
  }
  /// One number is negated at once, without an operation.
  Argument negative(const Argument &x) {
    return x.kind == Kind::Tensor ? make("neg", {{"self", x}}, shapeOf(x))
                                  : number(-x.real);
  }
  Argument one(const char *op, const Argument &x) {
    return make(op, {{"self", x}}, shapeOf(x));
  }
  Argument two(const char *op, const Argument &a, const Argument &b) {
    if (a.kind != Kind::Tensor && b.kind != Kind::Tensor)
      fail("is of numbers alone, expected a tensor");
    auto shape = broadcast(shapeOf(a), shapeOf(b));
    if (!shape)
      fail("the shapes do not fit each other");
    return make(op, {{"self", a}, {"other", b}}, *shape);
  }

  Pair added(const Pair &a, const Pair &b, bool minus) {
    const char *op = minus ? "sub" : "add";
    Pair sum{two(op, a.re, b.re), a.im};
    if (a.im && b.im)
      sum.im = two(op, *a.im, *b.im);
    else if (b.im)
      sum.im = minus ? negative(*b.im) : *b.im;
    return sum;
  }
  /// `by(x, y)` is a product of real numbers.
  template <typename By>
  Pair product(const Pair &a, const Pair &b, const By &by) {
    Pair made{by(a.re, b.re), std::nullopt};
    if (a.im && b.im)
      made.re = two("sub", made.re, by(*a.im, *b.im));
    if (a.im)
      made.im = by(*a.im, b.re);
    if (b.im) {
      Argument other = by(a.re, *b.im);
      made.im = made.im ? two("add", *made.im, other) : other;
    }
    return made;
  }
  Pair times(const Pair &a, const Pair &b) {
    return product(a, b, [&](const Argument &x, const Argument &y) {
      return x.kind != Kind::Tensor && y.kind != Kind::Tensor
                 ? number(x.real * y.real)
                 : two("mul", x, y);
    });
  }
  Pair quotient(const Pair &a, const Pair &b) {
    if (!b.im)
      return {two("div", a.re, b.re),
              a.im ? std::optional(two("div", *a.im, b.re)) : std::nullopt};
    Argument square =
        two("add", two("mul", b.re, b.re), two("mul", *b.im, *b.im));
    Pair above = times(a, {b.re, negative(*b.im)});
    return {two("div", above.re, square), two("div", *above.im, square)};
  }
  Pair turned(const Argument &length, const Argument &angle) {
    return {two("mul", length, one("cos", angle)),
            two("mul", length, one("sin", angle))};
  }

  /// The matrix product of `mm` and `bmm`.
  Pair matrices() {
    const Shape shape = program.shapes.at(node->outputs.at(0));
    return product(pairOf("self"), pairOf("mat2"),
                   [&](const Argument &x, const Argument &y) {
                     return make(node->op, {{"self", x}, {"mat2", y}}, shape);
                   });
  }

  /// The node with one part of each complex operand.
  Argument ofPart(bool imaginary, size_t output) {
    const Shape shape = program.shapes.at(node->outputs.at(output));
    Inputs inputs;
    for (auto [name, argument] : node->inputs) {
      const bool condition = name == "condition";
      for (std::string &of : argument.names)
        if (program.complex.count(of))
          of = imaginary ? imaginaryOf(of) : realOf(of);
        else if (imaginary && !of.empty() && !condition && name != "indices" &&
                 name != "index")
          of = make("zeros", {}, program.shapes.at(of)).names[0];
      inputs.emplace_back(name, argument);
    }
    return make(node->op, std::move(inputs), shape);
  }

  void give(const Pair &made, size_t output = 0) {
    const std::string &name = node->outputs.at(output);
    if (!program.complex.count(name)) {
      if (made.im)
        fail("gives complex values where the graph says real ones");
      return give(made.re, name);
    }
    give(made.re, realOf(name));
    give(made.im ? *made.im : make("zeros", {}, program.shapes.at(name)),
         imaginaryOf(name));
  }
  void give(const Argument &made, const std::string &name) {
    if (made.kind != Kind::Tensor)
      fail("is of numbers alone, expected a tensor");
    program.nodes.push_back(
        {"alias", node->place, node->module, {{"self", made}}, {name}});
  }

  void split() {
    if (node->outputs.empty())
      return;
    if (isOfParts(node->op)) {
      for (size_t i = 0; i < node->outputs.size(); ++i)
        give(Pair{ofPart(false, i), ofPart(true, i)}, i);
      return;
    }
    give(computed());
  }

  Pair computed() {
    const std::string &op = node->op;
    if (op == "add" || op == "sub") {
      if (node->real("alpha", 1) != 1)
        fail("of complex values expects no factor alpha");
      return added(pairOf("self"), pairOf("other"), op == "sub");
    }
    if (op == "mul")
      return times(pairOf("self"), pairOf("other"));
    if (op == "div")
      return quotient(pairOf("self"), pairOf("other"));
    if (op == "reciprocal")
      return quotient({number(1), std::nullopt}, pairOf("self"));
    if (op == "mm" || op == "bmm")
      return matrices();
    if (op == "exp") {
      const Pair x = pairOf("self");
      if (!x.im)
        fail("gives complex values of real ones");
      return turned(one("exp", x.re), *x.im);
    }
    if (op == "polar")
      return turned(pairOf("abs").re, pairOf("angle").re);
    if (op == "complex")
      return {pairOf("real").re, pairOf("imag").re};
    return converted();
  }

  Pair converted() {
    const std::string &op = node->op;
    const bool conjugates =
        op == "conj" || op == "_conj" || op == "conj_physical";
    if (op.rfind("zeros", 0) == 0 || op == "new_zeros")
      return {make("zeros", {}, program.shapes.at(node->outputs.at(0))),
              std::nullopt};
    if (op == "view_as_complex") {
      const Argument self = node->input("self");
      Shape shape = shapeOf(self);
      if (shape.empty())
        fail("expected pairs along the last axis");
      const int64_t last = int64_t(shape.size()) - 1;
      shape.pop_back();
      auto half = [&](int64_t place) {
        return make(
            "select",
            {{"self", self}, {"dim", integer(last)}, {"index", integer(place)}},
            shape);
      };
      return {half(0), half(1)};
    }
    Pair x = pairOf("self");
    if (op == "_to_copy" || op == "to" || op == "resolve_conj") {
      if (!program.complex.count(node->outputs.at(0)))
        x.im.reset();
      return x;
    }
    if (!x.im)
      fail("of complex values is not known");
    if (op == "real")
      return {x.re, std::nullopt};
    if (op == "imag")
      return {*x.im, std::nullopt};
    if (conjugates)
      return {x.re, negative(*x.im)};
    if (op == "view_as_real") {
      Argument both;
      both.kind = Kind::Tensors;
      both.names = {x.re.names.at(0), x.im->names.at(0)};
      const Shape shape = program.shapes.at(node->outputs.at(0));
      return {
          make("stack",
               {{"tensors", both}, {"dim", integer(int64_t(shape.size()) - 1)}},
               shape),
          std::nullopt};
    }
    if (op == "abs")
      return {one("sqrt",
                  two("add", two("mul", x.re, x.re), two("mul", *x.im, *x.im))),
              std::nullopt};
    fail("of complex values is not known; arithmetic, exp, abs, sums, matrix "
         "products and moves of elements are");
  }

  Program program;
  const Node *node = nullptr;
  size_t counter = 0;
};

} // namespace

Program inPairs(Program program) {
  bool any = !program.complex.empty();
  for (const Node &node : program.nodes)
    for (const auto &[name, argument] : node.inputs)
      any |= argument.kind == Kind::Complex;
  const std::string path = program.path;
  try {
    return any ? Splitter(std::move(program)).run() : std::move(program);
  } catch (const std::out_of_range &) {
    throw Error(path + ": an operation of complex values has other arguments "
                       "than expected");
  }
}

} // namespace dendrolith::torch
