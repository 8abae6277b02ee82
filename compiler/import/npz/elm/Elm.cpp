// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/elm/Elm.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace dendrolith::npz {
namespace {

class ElmReader {
public:
  explicit ElmReader(Archive &archive) : archive(archive), meta(archive) {}

  Elm run() {
    // The rest says what the arrays say too, or how the network was trained.
    meta.only({"c",       "lam",  "taur",  "out",  "decode", "Din",  "N",
               "dtree",   "dmlp", "Dout",  "tmin", "tmax",   "rho",  "Th",
               "dbranch", "sg",   "langs", "jit",  "budget", "pool", "lmlp"});
    c = meta.number("c", 10);
    lambda = above("lam");
    double keep = std::exp(-1 / above("taur"));
    net.binary = meta.choice("out", 0, {"relu", "binary", "bin"},
                             "relu or binary, what a neuron emits") != 0;
    if (meta.text("decode", "last=1") != "last=1")
      meta.fail("decode", "last=1, the scores of the last step");
    net.inputs = inputs();
    scalar("rec_kr", keep);
    scalar("rec_gain_r", 1 - keep);
    readLayer("rec", net.rec);
    readLayer("ro", net.ro);
    expect("N", net.rec.neurons, "rows of rec_ws");
    expect("dm", net.rec.memories, "time constants in rec_tau");
    expect("dtree", net.rec.trees, "rows of rec_W1 less the memories");
    auto n = uint64_t(net.rec.neurons), m = uint64_t(net.ro.neurons);
    readSynapses("rec", net.rec, uint64_t(net.inputs) + n,
                 "the inputs, then the layer's own neurons");
    readSynapses("ro", net.ro, n, "the recurrent neurons");
    uint64_t classes = archive.array("lin_weight", 2).shape[0];
    net.classes = int64_t(classes);
    constant("lin_W", {classes, m},
             archive.reals("lin_weight", {classes, m},
                           "a column per read-out neuron"));
    constant("lin_b", {classes},
             archive.reals("lin_bias", {classes}, "one per row of lin_weight"));
    return std::move(net);
  }

private:
  double above(const char *key) {
    double value = meta.number(key, 5);
    if (!(value > 0) || !std::isfinite(value))
      meta.fail(key, "a number above 0");
    return value;
  }

  /// Counts the inputs, the sources of a recurrent layer that are no neuron of
  /// it: only meta says how many there are.
  int64_t inputs() {
    if (auto count = meta.integer("Din", 1, 1e6, "a number of inputs"))
      return *count;
    throw Error(archive.place("meta") +
                "\"Din\": expected the number of inputs, found none");
  }

  /// Checks what meta says beside the arrays.
  void expect(const char *key, int64_t found, const char *what) {
    auto said = meta.integer(key, 1, 1e9, "a number above 0");
    if (said && *said != found)
      meta.fail(key, fmt::format("{}, the {}", found, what));
  }

  void constant(const std::string &name, Shape shape, Values values) {
    net.constants[name] = {std::move(shape), std::move(values)};
  }
  void scalar(const std::string &name, double value) {
    constant(name, {}, {value});
  }

  /// Adds a matrix (neurons, inputs, outputs) of the archive as (neurons,
  /// outputs, inputs), which a mat-vec takes.
  void transposed(const std::string &key, uint64_t n, uint64_t in, uint64_t out,
                  const std::string &why) {
    Values found = archive.reals(key, {n, in, out}, why), turned(found.size());
    for (uint64_t k = 0; k < n; ++k)
      for (uint64_t i = 0; i < in; ++i)
        for (uint64_t o = 0; o < out; ++o)
          turned[(k * out + o) * in + i] = found[(k * in + i) * out + o];
    constant(key, {n, out, in}, std::move(turned));
  }

  void readLayer(const std::string &prefix, ElmLayer &layer) {
    auto key = [&](const char *name) { return prefix + "_" + name; };
    uint64_t n = archive.array(key("ws"), 2).shape[0];
    Values tau = flat(archive.array(key("tau"), 1)), km, gain;
    for (double t : tau) {
      if (!(t > 0))
        throw Error(fmt::format("{}expected time constants above 0, found {}",
                                archive.place(key("tau")), t));
      km.push_back(std::exp(-1 / t));
      gain.push_back(1 - std::exp(-lambda / t));
    }
    uint64_t dm = tau.size();
    const Shape first = archive.array(key("W1"), 3).shape;
    if (first[0] != n || first[1] <= dm)
      throw Error(fmt::format(
          "{}expected {} neurons, as {} has, and a row per branch and for each "
          "of {} memories, found shape {}",
          archive.place(key("W1")), n, key("ws"), dm, shapeText(first)));
    bool hides = archive.has(key("W2"));
    layer.neurons = int64_t(n);
    layer.memories = int64_t(dm);
    layer.trees = int64_t(first[1] - dm);
    layer.hidden = hides ? int64_t(first[2]) : 0;
    std::string sizes =
        fmt::format("{} neurons, {} branches, {} memories", n, layer.trees, dm);
    uint64_t width = hides ? first[2] : dm;
    transposed(key("W1"), n, first[1], width, sizes);
    constant(key("b1"), {n, width},
             archive.reals(key("b1"), {n, 1, width}, sizes));
    if (hides) {
      transposed(key("W2"), n, width, dm, sizes);
      constant(key("b2"), {n, dm}, archive.reals(key("b2"), {n, 1, dm}, sizes));
    }
    constant(key("wr"), {n, dm}, archive.reals(key("wr"), {n, dm}, sizes));
    constant(key("b"), {n}, archive.reals(key("b"), {n}, sizes));
    constant(key("km"), {dm}, std::move(km));
    constant(key("gain"), {dm}, std::move(gain));
  }

  /// Reads integers in [first, end) of each row's own range.
  template <typename Range>
  std::vector<int64_t> integers(const std::string &key, const Shape &shape,
                                const std::string &why, Range range) {
    Values found = archive.reals(key, shape, why);
    std::vector<int64_t> all;
    for (size_t i = 0; i < found.size(); ++i) {
      auto [first, end, what] = range(i / shape[1]);
      if (!(found[i] >= double(first) && found[i] < double(end)) ||
          found[i] != std::floor(found[i]))
        throw Error(fmt::format(
            "{}neuron {}, synapse {}: expected {} in {}..{}, found {}",
            archive.place(key), i / shape[1], i % shape[1], what, first,
            end - 1, found[i]));
      all.push_back(int64_t(found[i]));
    }
    return all;
  }

  /// Makes sparse synapses of the gather, eq. 2, and the branch sums, eq. 1
  /// (i), c times the weights. Synapses of one source on one branch add up.
  void readSynapses(const std::string &prefix, const ElmLayer &layer,
                    uint64_t sources, const char *what) {
    using Range = std::tuple<int64_t, int64_t, std::string>;
    auto key = [&](const char *name) { return prefix + "_" + name; };
    Shape shape = archive.array(key("ws"), 2).shape;
    std::string why = "a synapse for each of " + key("ws");
    std::vector<int64_t> source =
        integers(key("idx"), shape, why, [&](uint64_t) -> Range {
          return {0, int64_t(sources), fmt::format("a source ({})", what)};
        });
    std::vector<int64_t> target =
        integers(key("col"), shape, why, [&](uint64_t n) -> Range {
          int64_t first = int64_t(n) * layer.trees;
          return {first, first + layer.trees,
                  fmt::format("one of the neuron's {} branches", layer.trees)};
        });
    Values weight = flat(archive.array(key("ws"), 2));
    std::vector<size_t> order(weight.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::tie(source[a], target[a]) < std::tie(source[b], target[b]);
    });
    const bool own = prefix == "rec";
    Constant input, recurrent;
    size_t before = 0;
    for (size_t i : order) {
      bool isOwn = own && source[i] >= net.inputs;
      Constant &into = isOwn ? recurrent : input;
      if (!into.values.empty() && source[before] == source[i] &&
          target[before] == target[i]) {
        into.values.back() += c * weight[i];
        continue;
      }
      into.values.push_back(c * weight[i]);
      into.indices.push_back(int32_t(target[i]));
      into.indices.push_back(int32_t(source[i] - (isOwn ? net.inputs : 0)));
      before = i;
    }
    for (auto *made : {&input, &recurrent})
      made->shape = {made->values.size()};
    if (!input.values.empty())
      net.constants[key("Win")] = std::move(input);
    if (!recurrent.values.empty())
      net.constants[key("Wrec")] = std::move(recurrent);
  }

  Archive &archive;
  MetaReader meta;
  Elm net;
  double c = 10, lambda = 5;
};

void importElm(Archive &archive, mlir::MLIRContext &context,
               ImportedModel &model) {
  Elm net = ElmReader(archive).run();
  if (archive.has("x_ex"))
    model.examples["u"] = archive.samples("x_ex", net.inputs);
  model.module = createElm(context, model.name, std::move(net));
}

} // namespace

CheckpointKind elmKind() {
  return {"ELM",
          "models/elm",
          {"elm"},
          {"rec_ws", "rec_idx", "rec_W1", "ro_ws", "lin_weight"},
          importElm};
}

namespace {

constexpr const char *kElmNetwork = R"(
dend.network @elm {
  dend.clock @step
  dend.input @u on @step : tensor<$Ixf64> as !dend.spike<graded>
  $REC
  $RO
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @rec : @recurrent[$N] on @step bind {
      W1 = @rec_W1, b1 = @rec_b1, $RECSECOND wr = @rec_wr, bias = @rec_b,
      km = @rec_km, gain = @rec_gain, kr = @rec_kr, gain_r = @rec_gain_r}
  dend.population @ro : @readout[$M] on @step bind {
      W1 = @ro_W1, b1 = @ro_b1, $ROSECOND wr = @ro_wr, bias = @ro_b,
      km = @ro_km, gain = @ro_gain}
  dend.population @out : @linear[$C] on @step
  $PROJECTIONS
  dend.project @ro["y"] -> @out["I"] #dend.dense weight @lin_W bias @lin_b delay 0
  dend.output @scores = @out["y"] decode "last=1"
}
)";

// Eq. 1 (ii) and (iii); %drive is what the last linear map of the MLP gives.
constexpr const char *kNeuron = R"(
  dend.neuron @$NAME ports(%b : tensor<$Txf64>)
      params(%W1 : tensor<$Fx$Zxf64> per_neuron, %b1 : tensor<$Fxf64> per_neuron,
          $SECONDPARAMS
          %wr : tensor<$Dxf64> per_neuron, %bias : f64 per_neuron,
          %km : tensor<$Dxf64>, %gain : tensor<$Dxf64> $FILTERPARAMS)
      states(%m : tensor<$Dxf64> reset sample $FILTERSTATE)
      outputs($OUTPUT) {
    %kept = dend.mul %km, %m : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>
    %z = dend.concat %b, %kept : (tensor<$Txf64>, tensor<$Dxf64>) -> tensor<$Zxf64>
    %h0 = dend.matvec %W1, %z : (tensor<$Fx$Zxf64>, tensor<$Zxf64>) -> tensor<$Fxf64>
    %h1 = dend.add %h0, %b1 : (tensor<$Fxf64>, tensor<$Fxf64>) -> tensor<$Fxf64>
    $SECOND
    %dm = dend.math tanh $DRIVE : (tensor<$Dxf64>) -> tensor<$Dxf64>
    %new = dend.mul %gain, %dm : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>
    %mn = dend.add %kept, %new : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>
    %p = dend.dot %wr, %mn : (tensor<$Dxf64>, tensor<$Dxf64>) -> f64
    %q = dend.add %bias, %p : (f64, f64) -> f64
    $REST
  })";

// One hidden layer, ReLU squared.
constexpr const char *kSecond = R"(
    %zeros = dend.literal dense<0.0> : tensor<$Fxf64> as tensor<$Fxf64>
    %h2 = dend.max %h1, %zeros : (tensor<$Fxf64>, tensor<$Fxf64>) -> tensor<$Fxf64>
    %h3 = dend.mul %h2, %h2 : (tensor<$Fxf64>, tensor<$Fxf64>) -> tensor<$Fxf64>
    %d0 = dend.matvec %W2, %h3 : (tensor<$Dx$Fxf64>, tensor<$Fxf64>) -> tensor<$Dxf64>
    %d1 = dend.add %d0, %b2 : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>)";
constexpr const char *kSecondParams = R"(
          %W2 : tensor<$Dx$Fxf64> per_neuron, %b2 : tensor<$Dxf64> per_neuron,)";

// (iv), then (v) by one of two outputs.
constexpr const char *kFilter = R"(
    %rn = dend.compartment %r drive %p keep %kr gain %gain_r
        : (f64, f64, f64, f64) -> f64
    %above = dend.sub %q, %rn : (f64, f64) -> f64
    %zero = dend.literal 0.0 : f64 as f64)";
constexpr const char *kRelu = R"(
    %a = dend.max %above, %zero : (f64, f64) -> f64
    dend.yield states(%mn, %rn : tensor<$Dxf64>, f64) emit(%a : f64))";
constexpr const char *kBinary = R"(
    %a, %rest = dend.fire %above, %zero reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%mn, %rn : tensor<$Dxf64>, f64) emit(%a : i1))";
constexpr const char *kLinear = R"(
    dend.yield states(%mn : tensor<$Dxf64>) emit(%q : f64))";

std::string neuronText(const char *name, const ElmLayer &layer, bool filters,
                       bool binary) {
  auto number = [](int64_t value) { return std::to_string(value); };
  int64_t first = layer.hidden ? layer.hidden : layer.memories;
  Words words = {{"NAME", name},
                 {"T", number(layer.trees)},
                 {"D", number(layer.memories)},
                 {"Z", number(layer.trees + layer.memories)},
                 {"F", number(first)},
                 {"DRIVE", layer.hidden ? "%d1" : "%h1"},
                 {"FILTERPARAMS", filters ? ", %kr : f64, %gain_r : f64" : ""},
                 {"FILTERSTATE", filters ? ", %r : f64 reset sample" : ""}};
  words["SECOND"] = layer.hidden ? filled(kSecond, words) : "";
  words["SECONDPARAMS"] = layer.hidden ? filled(kSecondParams, words) : "";
  words["OUTPUT"] = !filters ? "y : !dend.spike<graded>"
                    : binary ? "a : !dend.spike<binary>"
                             : "a : !dend.spike<graded>";
  words["REST"] =
      filters ? std::string(kFilter) + filled(binary ? kBinary : kRelu, words)
              : filled(kLinear, words);
  return filled(kNeuron, words);
}

std::string elmText(const Elm &net) {
  std::string projections;
  auto project = [&](const char *name, const char *source, const char *target,
                     int delay) {
    std::string weight = name;
    if (net.constants.count(weight))
      projections += "dend.project " + std::string(source) + " -> " + target +
                     " #dend.sparse weight @" + weight + " indices @\"" +
                     weight + ".indices\" delay " + std::to_string(delay) +
                     "\n  ";
  };
  project("rec_Win", "@u", "@rec[\"b\"]", 0);
  project("rec_Wrec", "@rec[\"a\"]", "@rec[\"b\"]", 1);
  project("ro_Win", "@rec[\"a\"]", "@ro[\"b\"]", 0);
  return filled(
      kElmNetwork,
      {{"I", std::to_string(net.inputs)},
       {"N", std::to_string(net.rec.neurons)},
       {"M", std::to_string(net.ro.neurons)},
       {"C", std::to_string(net.classes)},
       {"REC", neuronText("recurrent", net.rec, true, net.binary)},
       {"RO", neuronText("readout", net.ro, false, false)},
       {"RECSECOND", net.rec.hidden ? "W2 = @rec_W2, b2 = @rec_b2," : ""},
       {"ROSECOND", net.ro.hidden ? "W2 = @ro_W2, b2 = @ro_b2," : ""},
       {"PROJECTIONS", projections}});
}

} // namespace

mlir::OwningOpRef<mlir::ModuleOp>
createElm(mlir::MLIRContext &context, const std::string &name, Elm checkpoint) {
  std::string text = elmText(checkpoint);
  return parseNetwork(context, text, name, std::move(checkpoint.constants));
}

} // namespace dendrolith::npz
