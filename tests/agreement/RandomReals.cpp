// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/agreement/RandomReals.h"

#include <fmt/format.h>

#include <random>

namespace dendrolith::test {
namespace {

using Shape = std::vector<int>;

struct Real {
  std::string name; // with its %
  Shape shape;
};

std::string typeOf(const Shape &shape, const std::string &element = "f64") {
  std::string text;
  for (int extent : shape)
    text += std::to_string(extent) + "x";
  return shape.empty() ? element : "tensor<" + text + element + ">";
}

class RealsGenerator {
public:
  RealsGenerator(uint32_t seed, RealSizes sizes) : random(seed), sizes(sizes) {}

  RandomReals run() {
    line("dend.clock @t");
    int width = 2 + below(3);
    line(fmt::format("dend.input @x on @t : tensor<{}xf64> as "
                     "!dend.spike<graded>",
                     width));
    addInput(width);
    std::string source = "@x";
    for (int p = 0; p < 2; ++p)
      source = addPopulation(p, source, width);
    result.text = "dend.network @reals {\n" + text + "}\n";
    return std::move(result);
  }

private:
  int below(int n) { return int(random() % uint32_t(n)); }
  int extent() { return 2 + below(sizes.extent - 1); }
  double number(double most) {
    return most * (double(random() % 2001) / 1000 - 1);
  }
  void line(const std::string &what) { text += "  " + what + "\n"; }

  void addInput(int width) {
    Samples samples;
    samples.samples = 3;
    samples.steps = 8;
    samples.shape = {uint64_t(width)};
    std::vector<double> values(3 * 8 * size_t(width));
    for (double &value : values)
      value = below(3) ? number(2) : 0;
    samples.values = std::move(values);
    result.inputs["x"] = samples;
  }

  std::string elements(const Shape &shape, size_t axis, double most) {
    if (axis == shape.size())
      return fmt::format("{:.6f}", number(most));
    std::string all;
    for (int i = 0; i < shape[axis]; ++i)
      all += (i ? ", " : "") + elements(shape, axis + 1, most);
    return "[" + all + "]";
  }

  std::string constant(const Shape &shape, double most) {
    std::string name = "@k" + std::to_string(constants++), dims;
    for (int extent : shape)
      dims += std::to_string(extent) + "x";
    line(fmt::format("dend.constant {} : tensor<{}f64> = dense<{}> : "
                     "tensor<{}f64>",
                     name, dims, elements(shape, 0, most), dims));
    return name;
  }

  Real define(const std::string &op, const Shape &shape,
              const std::string &operands, const std::vector<Shape> &from,
              const std::string &element = "f64") {
    Real value{"%g" + std::to_string(next++), shape};
    std::string types;
    for (const Shape &s : from)
      types += (types.empty() ? "" : ", ") + typeOf(s);
    body += fmt::format("{}{} = dend.{} {} : ({}) -> {}\n", indent, value.name,
                        op, operands, types, typeOf(shape, element));
    ++result.kinds[op.substr(0, op.find(' '))];
    if (element == "f64")
      pool.push_back(value);
    return value;
  }

  Real literal(double x) {
    Real value{"%g" + std::to_string(next++), {}};
    body += fmt::format("{}{} = dend.literal {:.6f} : f64 as f64\n", indent,
                        value.name, x);
    return value;
  }

  Real any(int rank = -1) {
    std::vector<Real> fits;
    for (const Real &value : pool)
      if (rank < 0 || int(value.shape.size()) == rank)
        fits.push_back(value);
    if (!fits.empty())
      return fits[size_t(below(int(fits.size())))];
    if (rank == 0)
      return literal(number(2));
    Shape shape(size_t(rank < 0 ? 1 : rank), extent());
    return define("splat", shape, any(0).name, {{}});
  }

  Real of(const Shape &shape) {
    std::vector<Real> fits;
    for (const Real &value : pool)
      if (value.shape == shape)
        fits.push_back(value);
    if (!fits.empty() && below(8))
      return fits[size_t(below(int(fits.size())))];
    Real scalar = shape.empty() || below(2) ? literal(number(2)) : any(0);
    return shape.empty() ? scalar : define("splat", shape, scalar.name, {{}});
  }

  Real bounded(const Real &value, double most) {
    Real low = literal(-most), high = literal(most);
    return define("clamp", value.shape,
                  value.name + ", " + low.name + ", " + high.name,
                  {value.shape, {}, {}});
  }

  void addOp(int depth = 0) {
    static const char *const same[] = {"add", "sub", "min", "max"};
    switch (below(depth ? 11 : 12)) {
    case 0:
    case 1: {
      Real a = any(), b = below(3) ? of(a.shape) : of({});
      bounded(define(same[below(4)], a.shape, a.name + ", " + b.name,
                     {a.shape, b.shape}),
              32);
      return;
    }
    case 2:
    case 3: {
      Real a = any(), b = below(2) ? of(a.shape) : of({});
      bounded(
          define("mul", a.shape, a.name + ", " + b.name, {a.shape, b.shape}),
          32);
      return;
    }
    case 4: {
      Real a = any();
      define(below(2) ? "neg" : "abs", a.shape, a.name, {a.shape});
      return;
    }
    case 5: {
      Real a = any(), b = of(a.shape), c = of(a.shape);
      Real mask = define("cmp lt", a.shape, a.name + ", " + b.name,
                         {a.shape, a.shape}, "i1");
      choose(mask, c, a);
      return;
    }
    case 6: {
      static const char *const functions[] = {"tanh", "sigmoid", "exp"};
      Real a = bounded(any(below(2)), 3);
      define(std::string("math ") + functions[below(3)], a.shape, a.name,
             {a.shape});
      return;
    }
    case 7: {
      int n = extent(), m = extent();
      Real a = of({n}), w = of({m, n});
      if (below(2))
        bounded(define("matvec", {m}, w.name + ", " + a.name, {{m, n}, {n}}),
                32);
      else
        bounded(define("dot", {}, a.name + ", " + of({n}).name, {{n}, {n}}),
                32);
      return;
    }
    case 8: {
      int n = extent(), m = extent();
      Real s = of({n, m}), a = of({n}), b = of({m});
      Real out =
          define("outer_add", {n, m}, s.name + ", " + a.name + ", " + b.name,
                 {{n, m}, {n}, {m}});
      bounded(out, 32);
      Real v = define("vecmat", {m}, a.name + ", " + out.name, {{n}, {n, m}});
      bounded(v, 32);
      return;
    }
    case 9: {
      Real a = any(1);
      int n = a.shape[0];
      if (below(2))
        define(below(2) ? "reduce sum" : "reduce max", {}, a.name, {a.shape});
      else
        choose(define("topk", a.shape,
                      a.name + ", " + std::to_string(1 + below(n)), {a.shape},
                      "i1"),
               of(a.shape), a);
      return;
    }
    case 10: {
      Real a = any(1);
      int n = a.shape[0];
      define("roll", a.shape, fmt::format("{} by {}", a.name, below(3)),
             {a.shape});
      define("element", {}, fmt::format("{}[{}]", a.name, below(n)), {a.shape});
      define("concat", {n + 1}, a.name + ", " + any(0).name, {a.shape, {}});
      define("slice", {1}, fmt::format("{}[{}, 1]", a.name, below(n)),
             {a.shape});
      return;
    }
    default:
      return skip();
    }
  }

  void choose(const Real &mask, const Real &yes, const Real &no) {
    Real value{"%g" + std::to_string(next++), no.shape};
    body += fmt::format("{}{} = dend.select {}, {}, {} : ({}, {}, {}) -> {}\n",
                        indent, value.name, mask.name, yes.name, no.name,
                        typeOf(mask.shape, "i1"), typeOf(yes.shape),
                        typeOf(no.shape), typeOf(no.shape));
    ++result.kinds["select"];
    pool.push_back(value);
  }

  void skip() {
    Real kept = any(below(2)), a = any(0), b = of({});
    Real open = define("cmp gt", {}, a.name + ", " + b.name, {{}, {}}, "i1");
    Real value{"%g" + std::to_string(next++), kept.shape};
    std::string type = typeOf(kept.shape), outside = std::move(body);
    std::vector<Real> before = pool;
    body.clear();
    indent += "  ";
    for (int i = 1 + below(3); i > 0; --i)
      addOp(1);
    Real given = of(kept.shape);
    indent.resize(indent.size() - 2);
    body = fmt::format("{}{}{} = dend.when {} keep({} : {}) -> ({}) {{\n{}{}  "
                       "dend.give {} : {}\n{}}}\n",
                       outside, indent, value.name, open.name, kept.name, type,
                       type, body, indent, given.name, type, indent);
    ++result.kinds["when"];
    pool = std::move(before);
    pool.push_back(value);
  }

  /// Returns what the next population can be fed from; `width` its elements.
  std::string addPopulation(int index, const std::string &source, int &width) {
    std::string name = "a" + std::to_string(index), params, states, binds, news,
                newTypes;
    int size = 1 + below(sizes.neurons), ports = 1 + below(2);
    pool.clear();
    body.clear();
    Shape port = below(2) ? Shape{} : Shape{extent()};
    for (int i = 0; i < ports; ++i)
      pool.push_back({"%p" + std::to_string(i), port});
    for (int i = 0; i < 1 + below(3); ++i) {
      Shape shape(size_t(below(3)), extent());
      bool own = below(2);
      Shape stored = shape;
      if (own)
        stored.insert(stored.begin(), size);
      params += fmt::format("{}%q{} : {}{}", i ? ", " : "", i, typeOf(shape),
                            own ? " per_neuron" : "");
      binds += fmt::format("{}q{} = {}", i ? ", " : "", i,
                           constant(stored, below(4) ? 1.5 : 0.01));
      pool.push_back({"%q" + std::to_string(i), shape});
    }
    std::vector<Real> old;
    for (int i = 0; i < 1 + below(2); ++i) {
      Shape shape(size_t(below(3)), extent());
      states += fmt::format("{}%s{} : {} reset sample{}", i ? ", " : "", i,
                            typeOf(shape), below(3) ? "" : " init 0.5");
      old.push_back({"%s" + std::to_string(i), shape});
      pool.push_back(old.back());
      result.traces.push_back(name + ":s" + std::to_string(i));
    }
    for (int i = 4 + below(8); i > 0; --i)
      addOp();
    for (const Real &state : old) {
      Real half =
          define("mul", state.shape, state.name + ", " + literal(0.5).name,
                 {state.shape, {}});
      Real sum =
          define("add", state.shape, half.name + ", " + of(state.shape).name,
                 {state.shape, state.shape});
      news += (news.empty() ? "" : ", ") + bounded(sum, 16).name;
      newTypes += (newTypes.empty() ? "" : ", ") + typeOf(state.shape);
    }
    // One output: binary, an integer or a real.
    int kind = below(3);
    Real out = any(0);
    std::string spike = "binary", type = "i1", emitted;
    if (kind == 0) {
      emitted = define("cmp ge", {}, out.name + ", " + literal(0.2).name,
                       {{}, {}}, "i1")
                    .name;
    } else if (kind == 1) {
      spike = "int, -3, 3", type = "i32";
      emitted =
          define("ssf", {},
                 fmt::format("{} shift {} scale {} vth 1.0 u 3.0", out.name,
                             literal(0.1).name, literal(0.7).name),
                 {{}, {}, {}}, "i32")
              .name;
    } else {
      spike = "graded", type = "f64", emitted = out.name;
    }
    std::string portText;
    for (int i = 0; i < ports; ++i)
      portText += fmt::format("{}%p{} : {}", i ? ", " : "", i, typeOf(port));
    line(fmt::format("dend.neuron @m{} ports({}) params({}) states({}) "
                     "outputs(y : !dend.spike<{}>) {{",
                     index, portText, params, states, spike));
    text += body;
    line(fmt::format("  dend.yield states({} : {}) emit({} : {})", news,
                     newTypes, emitted, type));
    line("}");
    line(fmt::format("dend.population @{} : @m{}[{}] on @t bind {{{}}}", name,
                     index, size, binds));
    int targets = size * (port.empty() ? 1 : port[0]);
    for (int i = 0; i < ports; ++i)
      line(fmt::format(
          "dend.project {} -> @{}[\"p{}\"] #dend.dense weight {} {} delay 0",
          source, name, i, constant({targets, width}, below(3) ? 1 : 0.01),
          below(2) ? "" : "bias " + constant({targets}, 1)));
    line(fmt::format("dend.output @o{} = @{}[\"y\"]", index, name));
    width = size;
    return "@" + name + "[\"y\"]";
  }

  std::mt19937 random;
  const RealSizes sizes;
  RandomReals result;
  std::string text, body, indent = "      ";
  std::vector<Real> pool;
  int constants = 0, next = 0;
};

} // namespace

RandomReals randomReals(uint32_t seed, RealSizes most) {
  return RealsGenerator(seed, most).run();
}

} // namespace dendrolith::test
