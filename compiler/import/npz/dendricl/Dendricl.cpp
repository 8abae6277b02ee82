// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendricl/Dendricl.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "compiler/import/npz/dendricl/DendriclNetwork.h"
#include "compiler/import/npz/dendricl/Token.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith::npz {
namespace {

/// Other forms of the network that training tools write are refused by name.
DendriclMeta parse(const MetaReader &reader) {
  DendriclMeta meta;
  reader.only({"soma", "readout", "ffin", "res", "n_micro", "tau", "decay",
               "decode", "spike", "layers"});
  meta.spikes =
      reader.flag("spike", true, "1, units that spike, or 0, a DendriCNN");
  static const std::vector<std::string> somas = {"virtual", "memoryless",
                                                 "leaky", "virt"};
  size_t soma = reader.choice("soma", 0, somas, "virtual, memoryless or leaky");
  meta.soma =
      soma == 3 ? DendriclMeta::Soma::Virtual : DendriclMeta::Soma(soma);
  meta.readsPrediction =
      reader.choice("readout", 0, {"ff", "ff+prediction"},
                    "ff, a read-out that sees the block only, or "
                    "ff+prediction") == 1;
  reader.choice("ffin", 0, {"spike"}, "spike, a block fed by somatic spikes");
  if (reader.number("res", 0) != 0)
    reader.fail("res", "0, a block without a residual");
  int64_t micro = reader.microSteps(meta.micro);
  // Without spikes each pass over a token would give the same.
  if (!meta.spikes)
    meta.soma = DendriclMeta::Soma::Memoryless;
  meta.micro = meta.soma == DendriclMeta::Soma::Virtual ? micro : 1;
  meta.decay = readDecay(reader);
  if (reader.text("decode", "last=1") != "last=1")
    reader.fail("decode", "last=1, the read-out at the query");
  return meta;
}

class DendriclReader {
public:
  explicit DendriclReader(Archive &archive)
      : archive(archive), reader(archive) {
    net.meta = parse(reader);
  }

  Dendricl run() {
    const Array &WA = archive.array("WA", 2), &WB = archive.array("WB", 2);
    net.apical = int64_t(WA.shape[0]);
    net.features = int64_t(WA.shape[1]);
    net.somas = int64_t(WB.shape[0]);
    net.blocks = int64_t(archive.array("F1.weight", 2).shape[0]);
    countLayers();
    for (int64_t l = 0; l < net.layers; ++l) {
      apical(l);
      soma(l);
    }
    block();
    // These keys concern training only, and a read-out of the block alone has
    // no use for Ry.
    for (const char *key : {"at", "gt", "Ry"})
      archive.ignore(key);
    for (int64_t l = 1; l < net.layers; ++l)
      for (const char *key : {"at", "gt"})
        archive.ignore(keyOf(l, key));
    return std::move(net);
  }

private:
  /// The key of a layer's array: "WA", "L1.WA", ...
  static std::string keyOf(int64_t layer, const char *key) {
    return layer ? fmt::format("L{}.{}", layer, key) : key;
  }

  /// Counts the layers by their keys, with which meta must agree.
  void countLayers() {
    while (archive.has(keyOf(net.layers, "WA")))
      ++net.layers;
    auto said = reader.integer("layers", 1, 1e6, "a number of layers");
    if (said && *said != net.layers)
      reader.fail(
          "layers",
          fmt::format("{}, as the archive has WA{}", net.layers,
                      net.layers > 1
                          ? fmt::format(" to {}", keyOf(net.layers - 1, "WA"))
                          : " and no L1.WA"));
    if (net.layers > 1 && net.meta.readsPrediction)
      reader.fail("readout", "ff in a network of several layers, each of which "
                             "predicts");
  }

  Values reals(const std::string &key, Shape shape) {
    return archive.reals(key, shape,
                         fmt::format("d = {}, d_a = {}, d_m = {}, {} rows of "
                                     "F1.weight",
                                     net.features, net.apical, net.somas,
                                     net.blocks));
  }
  double above(const std::string &key) {
    double value = archive.real(key);
    if (!(value > 0))
      throw Error(fmt::format("{}expected a number above 0, found {}",
                              archive.place(key), value));
    return value;
  }
  Values scaled(Values values, double by) {
    for (double &value : values)
      value *= by;
    return values;
  }
  void constant(const std::string &name, Shape shape, Values values) {
    net.constants[name] = {std::move(shape), std::move(values)};
  }
  void scalar(const std::string &name, double value) {
    constant(name, {}, {value});
  }

  /// Writes a = WA x, and y and flag too, as products with the whole token.
  void apical(int64_t layer) {
    auto d = uint64_t(net.features), da = uint64_t(net.apical);
    std::string end = suffixOf(layer), alphaKey = keyOf(layer, "alpha"),
                gammaKey = keyOf(layer, "gamma");
    Values WA = reals(keyOf(layer, "WA"), {da, d}), token(da * (d + 2));
    double norm = 0;
    for (uint64_t i = 0; i < da * d; ++i) {
      token[i / d * (d + 2) + i % d] = WA[i];
      norm += WA[i] * WA[i];
    }
    constant("WA_token" + end, {da, d + 2}, std::move(token));
    Values y(d + 2), flag(d + 2);
    y[d] = flag[d + 1] = 1;
    constant("y_token", {1, d + 2}, std::move(y));
    constant("flag_token", {1, d + 2}, std::move(flag));
    double alpha = archive.real(alphaKey), gamma = above(gammaKey);
    if (!(alpha > 0 && alpha <= 1))
      throw Error(fmt::format("{}expected a leak in (0, 1], found {}",
                              archive.place(alphaKey), alpha));
    scalar("alpha" + end, alpha);
    scalar("gamma" + end, gamma);
    // The mean eigenvalue is the trace of WA^T WA over d.
    double step = gamma * norm / double(d), bound = 2 / double(d + 2);
    if (step > bound)
      net.warnings.push_back(
          {"unstable-step", archive.where(gammaKey),
           fmt::format("the effective step, gamma times the mean eigenvalue of "
                       "WA^T WA, is {:.4g}, beyond the stable 2/(d+2) = "
                       "{:.4g}: on x of unit variance the apical state "
                       "diverges; scale gamma down",
                       step, bound)});
  }

  void soma(int64_t layer) {
    auto dm = uint64_t(net.somas), da = uint64_t(net.apical);
    uint64_t below = layer ? dm : uint64_t(net.features) + 2;
    std::string end = suffixOf(layer);
    double gA = archive.real(keyOf(layer, "gA")),
           gB = archive.real(keyOf(layer, "gB"));
    constant("WB" + end, {dm, below},
             scaled(reals(keyOf(layer, "WB"), {dm, below}), gB));
    constant("bB" + end, {dm}, scaled(reals(keyOf(layer, "bB"), {dm}), gB));
    constant("WO" + end, {dm, da},
             scaled(reals(keyOf(layer, "WO"), {dm, da}), gA));
    scalar("th1" + end, above(keyOf(layer, "th1")));
    if (net.meta.spikes && net.meta.soma != DendriclMeta::Soma::Memoryless)
      scalar("decay", net.meta.decay);
  }

  void block() {
    auto dm = uint64_t(net.somas), rows = uint64_t(net.blocks);
    constant("F1", {rows, dm}, reals("F1.weight", {rows, dm}));
    constant("b1", {rows}, reals("F1.bias", {rows}));
    scalar("th2", above("th2"));
    constant(
        "F2", {dm, rows},
        scaled(reals("F2.weight", {dm, rows}), 1 / double(net.meta.micro)));
    constant("b2", {dm}, reals("F2.bias", {dm}));
    constant("R", {1, dm}, reals("R.weight", {1, dm}));
    constant("bR", {1}, reals("R.bias", {1}));
    if (net.meta.readsPrediction)
      constant("Ry", {1, 1}, {archive.real("Ry")});
  }

  Archive &archive;
  MetaReader reader;
  Dendricl net;
};

} // namespace

static void importDendricl(Archive &archive, mlir::MLIRContext &context,
                           ImportedModel &model) {
  Dendricl checkpoint = DendriclReader(archive).run();
  model.module = createDendricl(context, model.name, checkpoint);
  model.warnings = std::move(checkpoint.warnings);
  readExamples(archive, checkpoint.features, model);
}

CheckpointKind dendriclKind() {
  return {"DendriCL",
          "models/dendricl",
          {"dendricl"},
          {"WA", "WB", "WO", "F1.weight", "F2.weight"},
          importDendricl};
}

} // namespace dendrolith::npz
