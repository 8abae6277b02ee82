// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendricl/Dendricl.h"

#include "compiler/import/npz/MetaReader.h"
#include "runtime/host/Query.h"
#include "targets/support/Error.h"

#include <cmath>
#include <fmt/format.h>

namespace neurite::npz {
namespace {

/// Other forms of the network that training tools write are refused by name.
DendriclMeta parse(const MetaReader &reader) {
  DendriclMeta meta;
  reader.only({"soma", "readout", "ffin", "res", "n_micro", "tau", "decay",
               "decode", "spike"});
  reader.onlyNumber("spike", 1,
                    "1, somas that spike: a DendriCNN, whose somas pass their "
                    "potentials on, is no network that this importer makes");
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
  meta.micro = meta.soma == DendriclMeta::Soma::Virtual ? micro : 1;
  double tau = reader.number("tau", 1 / (1 - meta.decay));
  if (!(tau >= 1) || !std::isfinite(tau))
    reader.fail("tau", "a time constant of at least one step");
  meta.decay = reader.number("decay", 1 - 1 / tau);
  if (!(meta.decay >= 0 && meta.decay < 1))
    reader.fail("decay", "a number in [0, 1)");
  if (reader.text("decode", "last=1") != "last=1")
    reader.fail("decode", "last=1, the read-out at the query");
  return meta;
}

class DendriclReader {
public:
  explicit DendriclReader(Archive &archive) : archive(archive) {
    net.meta = parse(MetaReader(archive));
  }

  Dendricl run() {
    const Array &WA = archive.array("WA", 2), &WB = archive.array("WB", 2);
    net.apical = int64_t(WA.shape[0]);
    net.features = int64_t(WA.shape[1]);
    net.somas = int64_t(WB.shape[0]);
    net.blocks = int64_t(archive.array("F1.weight", 2).shape[0]);
    apical();
    soma();
    block();
    if (archive.has("x_ex")) {
      net.examples = archive.samples("x_ex", net.features + 2);
      maskQueries(*net.examples,
                  {uint64_t(net.features) + 1, uint64_t(net.features)},
                  archive.where("x_ex"));
    }
    // These keys concern training only, and a read-out of the block alone has
    // no use for Ry.
    for (const char *key : {"at", "gt", "Ry"})
      archive.ignore(key);
    return std::move(net);
  }

private:
  Values reals(const char *key, Shape shape) {
    return archive.reals(key, shape,
                         fmt::format("d = {}, d_a = {}, d_m = {}, {} rows of "
                                     "F1.weight",
                                     net.features, net.apical, net.somas,
                                     net.blocks));
  }
  double above(const char *key) {
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
  void constant(const char *name, Shape shape, Values values) {
    net.constants[name] = {std::move(shape), std::move(values)};
  }
  void scalar(const char *name, double value) { constant(name, {}, {value}); }

  /// Writes a = WA x, and y and flag too, as products with the whole token.
  void apical() {
    auto d = uint64_t(net.features), da = uint64_t(net.apical);
    Values WA = reals("WA", {da, d}), token(da * (d + 2));
    double norm = 0;
    for (uint64_t i = 0; i < da * d; ++i) {
      token[i / d * (d + 2) + i % d] = WA[i];
      norm += WA[i] * WA[i];
    }
    constant("WA_token", {da, d + 2}, std::move(token));
    Values y(d + 2), flag(d + 2);
    y[d] = flag[d + 1] = 1;
    constant("y_token", {1, d + 2}, std::move(y));
    constant("flag_token", {1, d + 2}, std::move(flag));
    double alpha = archive.real("alpha"), gamma = above("gamma");
    if (!(alpha > 0 && alpha <= 1))
      throw Error(fmt::format("{}expected a leak in (0, 1], found {}",
                              archive.place("alpha"), alpha));
    scalar("alpha", alpha);
    scalar("gamma", gamma);
    // The mean eigenvalue is the trace of WA^T WA over d.
    double step = gamma * norm / double(d), bound = 2 / double(d + 2);
    if (step > bound)
      net.warnings.push_back(
          {"unstable-step", archive.where("gamma"),
           fmt::format("the effective step, gamma times the mean eigenvalue of "
                       "WA^T WA, is {:.4g}, beyond the stable 2/(d+2) = "
                       "{:.4g}: on x of unit variance the apical state "
                       "diverges; scale gamma down",
                       step, bound)});
  }

  void soma() {
    auto token = uint64_t(net.features) + 2, dm = uint64_t(net.somas),
         da = uint64_t(net.apical);
    double gA = archive.real("gA"), gB = archive.real("gB");
    constant("WB", {dm, token}, scaled(reals("WB", {dm, token}), gB));
    constant("bB", {dm}, scaled(reals("bB", {dm}), gB));
    constant("WO", {dm, da}, scaled(reals("WO", {dm, da}), gA));
    scalar("th1", above("th1"));
    if (net.meta.soma != DendriclMeta::Soma::Memoryless)
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
  Dendricl net;
};

} // namespace

static void read(Archive &archive, mlir::MLIRContext &context,
                 ImportedModel &model) {
  Dendricl checkpoint = DendriclReader(archive).run();
  model.module = createDendricl(context, model.name, checkpoint);
  model.warnings = std::move(checkpoint.warnings);
  if (checkpoint.examples)
    model.examples["x"] = std::move(*checkpoint.examples);
}

Kind dendriclKind() {
  return {"DendriCL",
          "models/dendricl",
          {"dendricl"},
          {"WA", "WB", "WO", "F1.weight", "F2.weight"},
          read};
}

} // namespace neurite::npz
