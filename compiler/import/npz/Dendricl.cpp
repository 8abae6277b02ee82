// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/Dendricl.h"

#include "runtime/host/Query.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace neurite::npz {
namespace {

class DendriclReader {
public:
  DendriclReader(Archive &archive, const Meta &meta) : archive(archive) {
    net.meta = meta;
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
    if (net.meta.soma != Meta::Soma::Memoryless)
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

Dendricl readDendricl(Archive &archive, const Meta &meta) {
  return DendriclReader(archive, meta).run();
}

} // namespace neurite::npz
