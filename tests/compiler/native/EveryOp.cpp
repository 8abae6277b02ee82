// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/native/EveryOp.h"

#include <fmt/format.h>

#include <vector>

namespace dendrolith::test {

static std::string tensor(const std::vector<int> &shape,
                          const char *element = "f64") {
  std::string text;
  for (int extent : shape)
    text += std::to_string(extent) + "x";
  return "tensor<" + text + element + ">";
}

EveryOp::EveryOp(int neurons, int elements)
    : neurons(neurons), elements(elements), vector(tensor({elements})),
      matrix(tensor({elements, elements})),
      complex(tensor({elements}, "complex<f64>")) {}

std::string EveryOp::add(const std::string &type, std::string op) {
  const std::string old = "%old";
  for (size_t at; (at = op.find(old)) != std::string::npos;)
    op.replace(at, old.size(), fmt::format("%s{}", count));
  const std::string result = fmt::format("%r{}", count);
  define(result + " = dend." + op);
  keep(type, result);
  return result;
}

void EveryOp::keep(const std::string &type, const std::string &value) {
  const char *comma = count ? ", " : "";
  states += fmt::format("{}%s{} : {} reset sample", comma, count++, type);
  news += comma + value;
  types += comma + type;
}

static std::string numbers(const std::vector<int> &shape, size_t axis,
                           int &next) {
  if (axis == shape.size())
    return fmt::format("{:.2f}", (next++ * 7) % 23 * 0.25 - 2);
  std::string all;
  for (int i = 0; i < shape[axis]; ++i)
    all += (i ? ", " : "") + numbers(shape, axis + 1, next);
  return "[" + all + "]";
}

std::string EveryOp::constants() const {
  const int k = elements, n = neurons;
  std::string text;
  auto constant = [&](const char *name, const std::vector<int> &shape) {
    int next = int(text.size());
    text += fmt::format("  dend.constant @{0} : {1} = dense<{2}> : {1}\n", name,
                        tensor(shape), numbers(shape, 0, next));
  };
  constant("q", {k});
  constant("o", {n, k});
  constant("w", {k, k});
  constant("u", {n, k, k});
  std::string pairs;
  for (int i = 0; i < k; ++i)
    pairs += fmt::format("{}({:.2f}, {:.2f})", i ? ", " : "", 0.75 - i % 3,
                         0.25 * (i % 5) - 0.5);
  return text + fmt::format("  dend.constant @c : {0} = dense<[{1}]> : {0}\n"
                            "  dend.constant @h : tensor<f64> = dense<0.75> : "
                            "tensor<f64>\n",
                            complex, pairs);
}

/// Each element of a port reads an element of the input of its own.
std::string EveryOp::project(const std::string &port, int first,
                             int size) const {
  std::string at, ones;
  for (int i = 0; i < size; ++i) {
    at += fmt::format("{}[{}, {}]", i ? ", " : "", i, first + i);
    ones += i ? ", 1.0" : "1.0";
  }
  return fmt::format(
      "  dend.constant @i{0} : {1} = dense<[{2}]> : {1}\n"
      "  dend.constant @w{0} : {3} = dense<[{4}]> : {3}\n"
      "  dend.project @in -> @P[\"{0}\"] #dend.sparse weight @w{0} "
      "indices @i{0} delay 0\n",
      port, tensor({size, 2}, "i32"), at, tensor({size}), ones);
}

std::string EveryOp::text() const {
  const int each = neurons * elements;
  return fmt::format(
             "dend.network @net {{\n  dend.clock @t\n"
             "  dend.input @in on @t : {} as !dend.spike<graded>\n{}"
             "  dend.neuron @m ports(%a : {}, %b : {}, %x : f64)\n"
             "      params(%q : {}, %o : {} per_neuron, %w : {}, %u : {} "
             "per_neuron, %c : {}, %h : f64)\n      states({})\n"
             "      outputs(y : !dend.spike<graded>) {{\n{}"
             "    dend.yield states({} : {}) emit(%x : f64)\n  }}\n"
             "  dend.population @P : @m[{}] on @t bind {{q = @q, o = @o, "
             "w = @w, u = @u, c = @c, h = @h}}\n",
             tensor({2 * each + neurons}), constants(), vector, vector, vector,
             vector, matrix, matrix, complex, states, body, news, types,
             neurons) +
         project("a", 0, each) + project("b", each, each) +
         project("x", 2 * each, neurons) +
         "  dend.output @out = @P[\"y\"]\n}\n";
}

} // namespace dendrolith::test
