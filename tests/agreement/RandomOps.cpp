// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of ops that a random body is made of.

#include "tests/agreement/RandomBody.h"

#include <algorithm>
#include <cstdio>

namespace dendrolith::test {

void BodyWriter::elementwise() {
  BodyValue a = anyNumber();
  // A scalar among vectors is repeated.
  BodyType other = a.type;
  if (!a.type.shape.empty() && below(3) == 0)
    other.shape = {};
  // Products are of fixed-point numbers.
  switch (below(a.type.kind == BodyType::Fixed ? 7 : 5)) {
  case 0:
  case 1: {
    std::string b = valueOf(other);
    define(below(2) ? "add" : "sub", a.type, a.name + ", " + b, {a.type, other},
           below(2) ? " overflow saturate" : "");
    break;
  }
  case 2: {
    std::string b = valueOf(other);
    define(below(2) ? "min" : "max", a.type, a.name + ", " + b,
           {a.type, other});
    break;
  }
  case 3:
    define(below(2) ? "neg" : "abs", a.type, a.name, {a.type});
    break;
  case 4: {
    std::string low = valueOf(other), high = valueOf(a.type);
    define("clamp", a.type, a.name + ", " + low + ", " + high,
           {a.type, other, a.type});
    break;
  }
  default: {
    BodyType b = randomFixed(other.shape);
    b.width = std::max(1, std::min(b.width, 64 - a.type.width));
    if (a.type.width > 60)
      return;
    std::string factor = valueOf(b);
    BodyType product = a.type;
    product.width = a.type.width + b.width;
    product.exponent = a.type.exponent + b.exponent;
    BodyValue whole =
        define("mul", product, a.name + ", " + factor, {a.type, b});
    // Mostly brought back to a useful size, which the lowering fuses.
    if (below(4)) {
      BodyType narrow = randomFixed(a.type.shape);
      define("rescale", narrow, whole.name, {product},
             " round " + rounding() + " overflow " +
                 (below(2) ? "wrap" : "saturate"));
    }
  }
  }
}

void BodyWriter::scaling() {
  BodyValue a = anyFixed();
  switch (below(4)) {
  case 0:
    valueOf(randomFixed(a.type.shape));
    break;
  case 1: {
    BodyValue count = define("clz", integer(a.type.shape), a.name, {a.type});
    define("shift", a.type, a.name + " by " + count.name, {a.type, count.type},
           " round " + rounding());
    break;
  }
  case 2: {
    BodyType amount = integer(below(2) ? a.type.shape : std::vector<int>());
    BodyValue by = fresh(amount);
    std::string number = std::to_string(below(40) - 25);
    std::string dims;
    for (int extent : amount.shape)
      dims += std::to_string(extent) + "x";
    text += indent + by.name + " = dend.literal " +
            (dims.empty() ? number + " : i32"
                          : "dense<" + number + "> : tensor<" + dims + "i32>") +
            " as " + amount.text() + "\n";
    define("shift", a.type, a.name + " by " + by.name, {a.type, amount},
           " round " + rounding());
    break;
  }
  default: {
    BodyType knots = randomFixed({2 + below(6)});
    std::string table = valueOf(knots);
    int bits = below(std::max(1, a.type.width - 2));
    double unit = 1;
    for (int e = 0; e < a.type.exponent; ++e)
      unit *= 2;
    for (int e = 0; e > a.type.exponent; --e)
      unit /= 2;
    char buffer[80];
    snprintf(buffer, sizeof buffer, " from %.17e step %.17e",
             unit * (below(200) - 100), unit * double(int64_t(1) << bits));
    BodyType result = withShape(knots, a.type.shape);
    define("table", result, a.name + " in " + table, {a.type, knots}, buffer);
  }
  }
}

void BodyWriter::products() {
  int n = 2 + below(3), m = 2 + below(3);
  BodyType a = randomFixed({n}), b = randomFixed({n}), out = randomFixed({});
  std::string how = below(3) ? " round " + rounding() : "";
  switch (below(6)) {
  case 0:
    define("dot", out, valueOf(a) + ", " + valueOf(b), {a, b}, how);
    break;
  case 1: {
    BodyType matrix = withShape(a, {m, n});
    out.shape = {m};
    define("matvec", out, valueOf(matrix) + ", " + valueOf(b), {matrix, b},
           how);
    break;
  }
  case 2: {
    BodyType matrix = withShape(a, {n, m});
    out.shape = {m};
    define("vecmat", out, valueOf(b) + ", " + valueOf(matrix), {b, matrix},
           how);
    break;
  }
  case 3: {
    BodyType c = randomFixed({m});
    out.shape = {n, m};
    define("outer_add", out,
           valueOf(out) + ", " + valueOf(a) + ", " + valueOf(c), {out, a, c},
           how);
    break;
  }
  case 4: {
    BodyValue x = anyFixed(1 + below(2));
    define(below(2) ? "reduce sum" : "reduce max", withShape(x.type, {}),
           x.name, {x.type});
    break;
  }
  default: {
    BodyValue x = anyFixed(1);
    int count = x.type.elements();
    define("topk", boolean(x.type.shape),
           x.name + ", " + std::to_string(1 + below(count)), {x.type});
  }
  }
}

void BodyWriter::moves() {
  BodyValue x = anyFixed(1 + below(2));
  std::vector<int> shape = x.type.shape;
  switch (below(5)) {
  case 0: {
    int offset = below(shape[0]), size = 1 + below(shape[0] - offset);
    shape[0] = size;
    define("slice", withShape(x.type, shape),
           x.name + "[" + std::to_string(offset) + ", " + std::to_string(size) +
               "]",
           {x.type});
    break;
  }
  case 1: {
    int index = below(shape[0]);
    shape.erase(shape.begin());
    define("element", withShape(x.type, shape),
           x.name + "[" + std::to_string(index) + "]", {x.type});
    break;
  }
  case 2:
    define("roll", x.type, x.name + " by " + std::to_string(below(9) - 4),
           {x.type});
    break;
  case 3: {
    BodyType scalar = withShape(x.type, {});
    std::string value = valueOf(scalar);
    define("splat", x.type, value, {scalar});
    break;
  }
  default: {
    BodyType more = x.type;
    more.shape[0] = 1 + below(3);
    if (shape.size() == 1 && below(2))
      more.shape = {};
    std::string other = valueOf(more);
    shape[0] += more.shape.empty() ? 1 : more.shape[0];
    if (shape[0] > 8)
      return;
    bool first = below(2);
    define("concat", withShape(x.type, shape),
           first ? x.name + ", " + other : other + ", " + x.name,
           first ? std::vector<BodyType>{x.type, more}
                 : std::vector<BodyType>{more, x.type});
  }
  }
}

void BodyWriter::choices() {
  static const char *const predicates[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  BodyValue a = anyNumber();
  BodyType other = a.type;
  if (!a.type.shape.empty() && below(3) == 0)
    other.shape = {};
  std::string b = valueOf(other);
  BodyValue condition =
      define(std::string("cmp ") + predicates[below(6)], boolean(a.type.shape),
             a.name + ", " + b, {a.type, other});
  if (below(3) == 0) {
    std::string more = valueOf(condition.type);
    condition =
        define(below(2) ? "min" : "max", condition.type,
               condition.name + ", " + more, {condition.type, condition.type});
  }
  std::string yes = valueOf(a.type), no = valueOf(other);
  define("select", a.type, condition.name + ", " + yes + ", " + no,
         {condition.type, a.type, other});
}

/// A recipe: exp, tanh, ... of a value of at most 32 bits.
void BodyWriter::math() {
  static const char *const functions[] = {
      "exp", "tanh", "sigmoid", "sqrt", "rsqrt", "reciprocal", "softplus"};
  BodyValue x = anyFixed(below(2));
  if (x.type.width < 2 || x.type.width > 32)
    return;
  BodyType result = x.type;
  result.width = 6 + below(20);
  result.exponent = -below(result.width);
  define(std::string("math ") + functions[below(7)], result, x.name, {x.type});
}

void BodyWriter::structure() {
  if (below(8) == 0)
    return math();
  BodyValue v = anyFixed(below(2));
  switch (below(3)) {
  case 0: {
    std::string theta = valueOf(v.type);
    static const char *const resets[] = {"none", "value", "subtract"};
    int reset = below(3);
    bool to = reset == 1 && below(2);
    std::string target = to ? valueOf(v.type) : "";
    BodyValue spike = fresh(boolean(v.type.shape)), after = fresh(v.type);
    text += indent + spike.name + ", " + after.name + " = dend.fire " + v.name +
            ", " + theta + " reset " + resets[reset] +
            (to ? " to " + target : "") + (below(2) ? " inclusive" : "") +
            " : (" + v.type.text() + ", " + v.type.text() +
            (to ? ", " + v.type.text() : "") + ") -> (" + spike.type.text() +
            ", " + after.type.text() + ")\n";
    ++kinds["fire"];
    pool.push_back(spike);
    pool.push_back(after);
    break;
  }
  case 1: {
    static const char *const joins[] = {"sum", "max", "min", "pass"};
    int kind = below(4);
    BodyType type = kind && below(4) == 0 ? boolean(v.type.shape) : v.type;
    std::string operands = type == v.type ? v.name : valueOf(type);
    std::vector<BodyType> types = {type};
    for (int i = kind == 3 ? 0 : below(3); i > 0; --i) {
      operands += ", " + valueOf(type);
      types.push_back(type);
    }
    define(std::string("join ") + joins[kind], type, "(" + operands + ")",
           types);
    break;
  }
  default: {
    static const char *const levels[] = {"vth 1.0 u 3.0", "vth 0.75 u 3.0",
                                         "vth 2.0 u 2.0", "vth 0.5 u 2.0"};
    BodyValue x = anyFixed(0);
    if (x.type.width > 40)
      return;
    std::string shift = valueOf(x.type), scale = literal(x.type, true);
    if (x.type.width < 2)
      return;
    define("ssf", integer({}),
           x.name + " shift " + shift + " scale " + scale + " " +
               levels[below(4)],
           {x.type, x.type, x.type});
  }
  }
}

} // namespace dendrolith::test
