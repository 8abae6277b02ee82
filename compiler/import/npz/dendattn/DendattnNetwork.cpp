// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network is written as text, as models/dendattn/da_mqar.mlir shows it for
// one size, and parsed. In a $-word e is a branch, m one of its blocks.

#include "compiler/import/npz/dendattn/DendattnNetwork.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace mlir;

namespace dendrolith::npz {
namespace {

/// "tensor<3x4xf64>".
template <typename... Sizes> std::string tensor(Sizes... sizes) {
  std::string text = "tensor<";
  ((text += fmt::format("{}x", sizes)), ...);
  return text + "f64>";
}

/// Appends lines that set values of a step body. Types of operands and results
/// are the last argument: "(f64, f64) -> f64".
class LineWriter {
public:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args &&...args) {
    text += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string text;
};

/// The step body of a head.
class HeadWriter {
public:
  explicit HeadWriter(const Dendattn &net) : net(net) {}

  std::string run() {
    declare();
    mix("q", key);
    mix("k", key);
    mix("v", value);
    out.line("%beta = dend.math sigmoid %betai : ({0}) -> {0}", each);
    out.line("%g = dend.math sigmoid %gi : ({0}) -> {0}", each);
    out.line("%floor = dend.literal 1.0e-12 : f64 as f64");
    if (net.routed)
      route();
    std::string sum;
    for (int64_t e = 0; e < net.branches(); ++e) {
      std::string read = e < net.shared ? branch(e) : routedBranch(e);
      sum = add(sum, read, fmt::format("a{}", e));
      if (e + 1 == net.shared && net.shared > 1)
        sum = share(sum);
    }
    finish(sum);
    return out.text;
  }

private:
  void declare() {
    std::vector<std::string> params, states;
    if (net.routed)
      params.push_back("%Wr : " + tensor(net.routed, net.keys) + " per_neuron");
    for (int64_t e = 0; e < net.branches(); ++e) {
      for (const char *name : {"EQ", "EK"})
        params.push_back(fmt::format("%{}{} : {} per_neuron", name, e, square));
      for (int64_t m = 0; m < net.blocks; ++m)
        states.push_back(fmt::format("%S{}_{} : {} reset sample", e, m, state));
    }
    out.line("dend.neuron @head ports(%qi : {0}, %ki : {0}, %vi : {1}, "
             "%betai : {2}, %gi : {2}) params({3}) states({4}) "
             "outputs(o[{5}] : !dend.spike<graded>) {{",
             key, value, each, fmt::join(params, ", "), fmt::join(states, ", "),
             net.values);
  }

  /// SiLU of a port.
  void mix(const char *port, const std::string &type) {
    out.line("%{0}s = dend.math sigmoid %{0}i : ({1}) -> {1}", port, type);
    out.line("%{0} = dend.mul %{0}i, %{0}s : ({1}, {1}) -> {1}", port, type);
  }

  /// Eq. 25, 26: the softmax over the routed branches, and which of them run.
  void route() {
    const std::string scores = tensor(net.routed);
    out.line("%score = dend.matvec %Wr, %q : ({}, {}) -> {}",
             tensor(net.routed, net.keys), key, scores);
    out.line("%best = dend.reduce max %score : ({}) -> f64", scores);
    out.line("%below = dend.sub %score, %best : ({0}, f64) -> {0}", scores);
    out.line("%ex = dend.math exp %below : ({0}) -> {0}", scores);
    out.line("%all = dend.reduce sum %ex : ({}) -> f64", scores);
    out.line("%r = dend.div %ex, %all : ({0}, f64) -> {0}", scores);
    out.line("%taken = dend.topk %r, {} : ({}) -> tensor<{}xi1>", net.top,
             scores, net.routed);
    out.line("%none = dend.literal dense<0.0> : {0} as {0}", value);
  }

  /// Writes block m of branch e of the query or the key, over its norm.
  void normalise(const char *which, int64_t e, int64_t m) {
    const std::string head = fmt::format("{}_{}", e, m),
                      row = tensor(net.block);
    out.line("%{0}b{1} = dend.slice %{0}e{2}[{3}, {4}] : ({5}) -> {6}", which,
             head, e, m * net.stride, net.block, key, row);
    out.line("%{0}d{1} = dend.dot %{0}b{1}, %{0}b{1} : ({2}, {2}) -> f64",
             which, head, row);
    out.line("%{0}r{1} = dend.math sqrt %{0}d{1} : (f64) -> f64", which, head);
    out.line("%{0}m{1} = dend.max %{0}r{1}, %floor : (f64, f64) -> f64", which,
             head);
    out.line("%{0}n{1} = dend.div %{0}b{1}, %{0}m{1} : ({2}, f64) -> {2}",
             which, head, row);
  }

  /// Writes a branch: eq. 27, and of each block eq. 18 to 20. Gives the name of
  /// what it reads out; the new states are N<e>_<m>.
  std::string branch(int64_t e) {
    out.line("%beta{0} = dend.element %beta[{0}] : ({1}) -> f64", e, each);
    out.line("%g{0} = dend.element %g[{0}] : ({1}) -> f64", e, each);
    out.line("%qe{0} = dend.matvec %EQ{0}, %q : ({1}, {2}) -> {2}", e, square,
             key);
    out.line("%ke{0} = dend.matvec %EK{0}, %k : ({1}, {2}) -> {2}", e, square,
             key);
    std::string sum;
    for (int64_t m = 0; m < net.blocks; ++m) {
      const std::string head = fmt::format("{}_{}", e, m),
                        row = tensor(net.block);
      normalise("q", e, m);
      normalise("k", e, m);
      out.line("%D{0} = dend.mul %g{1}, %S{0} : (f64, {2}) -> {2}", head, e,
               state);
      out.line("%p{0} = dend.vecmat %kn{0}, %D{0} : ({1}, {2}) -> {3}", head,
               row, state, value);
      out.line(
          "%N{0} = dend.delta_rule %S{0} key %kn{0} target %v prediction "
          "%p{0} keep %g{1} rate %beta{1} : ({2}, {3}, {4}, {4}, f64, f64) "
          "-> {2}",
          head, e, state, row, value);
      out.line("%o{0} = dend.vecmat %qn{0}, %N{0} : ({1}, {2}) -> {3}", head,
               row, state, value);
      sum = add(sum, "o" + head, "sum" + head);
    }
    return sum;
  }

  /// Eq. 29, 30: a branch that is frozen where it is not taken.
  std::string routedBranch(int64_t e) {
    const int64_t column = e - net.shared;
    out.line("%c{} = dend.element %taken[{}] : (tensor<{}xi1>) -> i1", e,
             column, net.routed);
    out.line("%w{} = dend.element %r[{}] : ({}) -> f64", e, column,
             tensor(net.routed));
    auto names = [&](const char *letter) {
      std::string text;
      for (int64_t m = 0; m < net.blocks; ++m)
        text += fmt::format("%{}{}_{}, ", letter, e, m);
      return text;
    };
    std::string types;
    for (int64_t m = 0; m < net.blocks; ++m)
      types += state + ", ";
    types += value;
    out.line("{0}%t{1} = dend.when %c{1} keep({2}%none : {3}) -> ({3}) {{",
             names("F"), e, names("S"), types);
    const std::string read = branch(e);
    out.line("%part{0} = dend.mul %w{0}, %{1} : (f64, {2}) -> {2}", e, read,
             value);
    out.line("dend.give {}%part{} : {}", names("N"), e, types);
    out.line("}}");
    return fmt::format("t{}", e);
  }

  /// Adds a vector to a sum that is "" at first.
  std::string add(const std::string &sum, const std::string &more,
                  const std::string &name) {
    if (sum.empty())
      return more;
    out.line("%{0} = dend.add %{1}, %{2} : ({3}, {3}) -> {3}", name, sum, more,
             value);
    return name;
  }

  /// Eq. 32: shared branches have the weight 1 / E_s.
  std::string share(const std::string &sum) {
    out.line("%part = dend.literal {:.17e} : f64 as f64",
             1.0 / double(net.shared));
    out.line("%shared = dend.mul %part, %{0} : (f64, {1}) -> {1}", sum, value);
    return "shared";
  }

  void finish(const std::string &sum) {
    std::string names, types;
    for (int64_t e = 0; e < net.branches(); ++e)
      for (int64_t m = 0; m < net.blocks; ++m) {
        names += fmt::format("{}%{}{}_{}", names.empty() ? "" : ", ",
                             e < net.shared ? "N" : "F", e, m);
        types += (types.empty() ? "" : ", ") + state;
      }
    normalise(sum);
    out.line("dend.yield states({} : {}) emit(%o : {})", names, types, value);
    out.line("}}");
  }

  /// Writes %o = %<from> over its root mean square. A head's read-out of a
  /// young state may be a thousand times smaller than later. It is brought to a
  /// largest element of 1 first, so that its squares have bits in integers too,
  /// and so is the number under the root, 1e-6, which is %least squared.
  void normalise(const std::string &source) {
    out.line("%size = dend.abs %{0} : ({1}) -> {1}", source, value);
    out.line("%largest = dend.reduce max %size : ({}) -> f64", value);
    out.line("%least = dend.literal 1.0e-03 : f64 as f64");
    out.line("%top = dend.max %largest, %least : (f64, f64) -> f64");
    out.line("%unit = dend.div %{0}, %top : ({1}, f64) -> {1}", source, value);
    out.line("%edge = dend.div %least, %top : (f64, f64) -> f64");
    out.line("%epsilon = dend.mul %edge, %edge : (f64, f64) -> f64");
    overRoot(out, "unit", "o", net.values);
  }

public:
  /// Writes %<to> = %<from> over its root mean square.
  static void rms(LineWriter &out, const std::string &source,
                  const std::string &to, int64_t width) {
    out.line("%epsilon = dend.literal 1.0e-06 : f64 as f64");
    overRoot(out, source, to, width);
  }

private:
  /// Writes %<to> = %<from> over the root of its mean square plus %epsilon.
  static void overRoot(LineWriter &out, const std::string &source,
                       const std::string &to, int64_t width) {
    const std::string type = tensor(width);
    out.line("%square = dend.dot %{0}, %{0} : ({1}, {1}) -> f64", source, type);
    out.line("%width = dend.literal {}.0 : f64 as f64", width);
    out.line("%mean = dend.div %square, %width : (f64, f64) -> f64");
    out.line("%under = dend.add %mean, %epsilon : (f64, f64) -> f64");
    out.line("%rms = dend.math sqrt %under : (f64) -> f64");
    out.line("%{0} = dend.div %{1}, %rms : ({2}, f64) -> {2}", to, source,
             type);
  }

  const Dendattn &net;
  LineWriter out;
  std::string key = tensor(net.keys), value = tensor(net.values),
              each = tensor(net.branches()),
              square = tensor(net.keys, net.keys),
              state = tensor(net.block, net.values);
};

void writeNeurons(LineWriter &out, const Dendattn &net) {
  const std::string type = tensor(net.width);
  out.line("dend.neuron @residual ports(%h : {0}) outputs(h[{1}] : "
           "!dend.spike<graded>, n[{1}] : !dend.spike<graded>) {{",
           type, net.width);
  HeadWriter::rms(out, "h", "n", net.width);
  out.line("dend.yield emit(%h, %n : {0}, {0})", type);
  out.line("}}");
  out.text += HeadWriter(net).run();
  out.line("dend.neuron @linear ports(%I : f64) outputs(y : "
           "!dend.spike<graded>) {{");
  out.line("dend.yield emit(%I : f64)");
  out.line("}}");
}

void writePopulations(LineWriter &out, const Dendattn &net) {
  std::vector<std::string> params;
  if (net.routed)
    params.push_back("Wr = @l{0}_Wr");
  for (int64_t e = 0; e < net.branches(); ++e)
    for (const char *name : {"EQ", "EK"})
      params.push_back(fmt::format("{0}{1} = @l{{0}}_{0}_e{1}", name, e));
  const std::string bound = fmt::format("{}", fmt::join(params, ", "));
  for (int64_t i = 0; i <= net.layers; ++i)
    out.line("dend.population @R{} : @residual[1] on @token", i);
  for (int64_t i = 0; i < net.layers; ++i)
    out.line("dend.population @H{} : @head[{}] on @token bind {{{}}}", i,
             net.heads, fmt::format(fmt::runtime(bound), i));
  out.line("dend.population @out : @linear[{}] on @token", net.vocabulary);
}

void writeProjections(LineWriter &out, const Dendattn &net) {
  auto dense = [&](const std::string &source, const std::string &target,
                   const std::string &weight, int64_t delay = 0) {
    out.line("dend.project @{} -> @{} #dend.dense weight @{} delay {}", source,
             target, weight, delay);
  };
  dense("tok", "R0[\"h\"]", "emb");
  for (int64_t i = 0; i < net.layers; ++i) {
    const std::string source = fmt::format("R{}[\"n\"]", i);
    for (const char *port : {"q", "k", "v"})
      for (int64_t delay = 0; delay < net.taps; ++delay)
        dense(source, fmt::format("H{}[\"{}i\"]", i, port),
              fmt::format("l{}_W{}{}", i, port, delay), delay);
    for (const char *port : {"beta", "g"})
      dense(source, fmt::format("H{}[\"{}i\"]", i, port),
            fmt::format("l{0}_W{1} bias @l{0}_b{1}", i, port));
    out.line("dend.project @R{}[\"h\"] -> @R{}[\"h\"] #dend.diagonal delay 0",
             i, i + 1);
    dense(fmt::format("H{}[\"o\"]", i), fmt::format("R{}[\"h\"]", i + 1),
          fmt::format("l{}_Wo", i));
  }
  dense(fmt::format("R{}[\"n\"]", net.layers), "out[\"I\"]", "head_W");
}

std::string dendattnText(const Dendattn &net) {
  LineWriter out;
  out.line("dend.network @dendattn {{");
  out.line("dend.clock @token");
  out.line("dend.input @tok on @token : {} as !dend.spike<binary> tokens",
           tensor(net.vocabulary));
  writeNeurons(out, net);
  writePopulations(out, net);
  writeProjections(out, net);
  out.line("dend.output @logits = @out[\"y\"] decode \"each\"");
  out.line("}}");
  return out.text;
}

} // namespace

OwningOpRef<ModuleOp> createDendattn(MLIRContext &context,
                                     const std::string &name,
                                     const Dendattn &checkpoint) {
  return parseNetwork(context, dendattnText(checkpoint), name,
                      checkpoint.constants);
}

} // namespace dendrolith::npz
